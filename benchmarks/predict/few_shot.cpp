// `./dev bench predict --few-shot TABLE.csv`: a device is predicted from few of its latencies and
// the other devices' columns. Its family, which is all of its batch sizes, is left out of the pool.
#include "prediction/few_shot/few_shot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "base/numbers/random.h"
#include "benchmarks/predict/part.h"
#include "measuring/results/statistics.h"
#include "prediction/analysis/ranks.h"
#include "prediction/few_shot/few_shot.h"
#include "prediction/few_shot/informative_units.h"
#include "prediction/few_shot/latency_table.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {
namespace {

constexpr size_t kCandidates = 2000;  // of which the chosen labels are chosen
constexpr double kPredictFewShotNear = 0.1;
constexpr double kMostDisorder = 0.025;  // 1 - Spearman, of the mean over the devices

struct PredictFewShotStudy {
  LatencyTable table;
  std::optional<CellFeatures> cells;
  DenseMatrix smooth_ms;  ///< of every column; the table itself without features
  size_t draws = 5;
  size_t labels = 10;
  uint64_t seed = 0;
};

/// A device that is left out with its family.
struct PredictFewShotTarget {
  size_t device = 0;
  std::vector<size_t> pool;
  std::vector<double> true_ms;
};

using PredictFewShotLabels = std::vector<LabelledUnit>;
using PredictFewShotTimes = std::vector<double>;

/// Predicts every unit from the labels.
struct PredictFewShotMethod {
  std::string name;
  std::string summary;
  std::function<PredictFewShotTimes(const PredictFewShotStudy&, const PredictFewShotTarget&,
                                    const PredictFewShotLabels&)>
      predict;
  bool chooses_labels = false;
};

PredictFewShotTimes predict_few_shot_column(const DenseMatrix& matrix, size_t at) {
  PredictFewShotTimes values;
  for (size_t row = 0; row < matrix.rows; ++row) values.push_back(matrix.at(row, at));
  return values;
}

PredictFewShotTimes ours(const PredictFewShotStudy& study, const PredictFewShotTarget& target,
                         const PredictFewShotLabels& labels) {
  const DevicePool pool{.times = columns_of(study.smooth_ms, target.pool)};
  return predict_few_shot(pool, {.labels = labels}).value();
}

/// log y = a + b log x by least squares, with its squared error.
struct LogLine {
  double constant = 0, slope = 0, error = 0;
};

LogLine log_line(const PredictFewShotTimes& times, const PredictFewShotLabels& labels) {
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  const auto count = static_cast<double>(labels.size());
  for (const LabelledUnit& label : labels) {
    const double from = std::log(times[label.unit]), to = std::log(label.time);
    x += from / count;
    y += to / count;
    xx += from * from / count;
    xy += from * to / count;
    yy += to * to / count;
  }
  const double variance = xx - x * x;
  const double slope = variance > 1e-12 ? (xy - x * y) / variance : 0;
  return {y - slope * x, slope, yy - y * y - slope * (xy - x * y)};
}

PredictFewShotTimes on_line(const LogLine& line, PredictFewShotTimes times) {
  for (double& time : times) time = std::exp(line.constant + line.slope * std::log(time));
  return times;
}

PredictFewShotTimes best_proxy(const PredictFewShotStudy& study, const PredictFewShotTarget& target,
                               const PredictFewShotLabels& labels) {
  PredictFewShotTimes best;
  double least = std::numeric_limits<double>::infinity();
  for (const size_t device : target.pool) {
    PredictFewShotTimes times = predict_few_shot_column(study.table.times_ms, device);
    const LogLine line = log_line(times, labels);
    if (line.error >= least) continue;
    least = line.error;
    best = on_line(line, std::move(times));
  }
  return best;
}

PredictFewShotTimes pool_mean(const PredictFewShotStudy& study, const PredictFewShotTarget& target,
                              const PredictFewShotLabels& labels) {
  PredictFewShotTimes means(study.table.units.size());
  for (size_t unit = 0; unit < means.size(); ++unit) {
    for (const size_t device : target.pool)
      means[unit] += std::log(study.table.times_ms.at(unit, device));
    means[unit] = std::exp(means[unit] / static_cast<double>(target.pool.size()));
  }
  const LogLine line = log_line(means, labels);
  return on_line(line, std::move(means));
}

/// What the labels alone say, by a ridge regression on the operators of a cell: how often
/// each occurs, and on which edge.
PredictFewShotTimes labels_alone(const PredictFewShotStudy& study,
                                 const PredictFewShotTarget& target,
                                 const PredictFewShotLabels& labels) {
  PredictFewShotTimes result(target.true_ms.size());
  if (!study.cells) return result;
  SparseRows told;
  double mean_log = 0;
  for (const LabelledUnit& label : labels) {
    told.rows.push_back(study.cells->rows[label.unit]);
    mean_log += std::log(label.time) / static_cast<double>(labels.size());
  }
  // By kernels, as there are fewer labels than features. Edges with the same operator count, the
  // same edge with it a second time.
  const size_t edges = study.cells->edges, operations = study.cells->operations;
  const auto product = [&](const auto& a, const auto& b) {
    double sum = 0;
    for (size_t i = 0; i < edges; ++i) {
      for (size_t j = 0; j < edges; ++j) {
        if (a[i].column % operations == b[j].column % operations) sum += i == j ? 2 : 1;
      }
    }
    return sum;
  };
  DenseMatrix kernel(labels.size(), labels.size()), right(labels.size(), 1);
  for (size_t i = 0; i < labels.size(); ++i) {
    for (size_t j = 0; j < labels.size(); ++j)
      kernel.at(i, j) = product(told.rows[i], told.rows[j]) + (i == j ? 1 : 0);
    right.at(i, 0) = std::log(labels[i].time) - mean_log;
  }
  const DenseMatrix found = solve_positive(std::move(kernel), std::move(right));
  for (size_t unit = 0; unit < result.size(); ++unit) {
    double log = mean_log;
    for (size_t i = 0; i < labels.size(); ++i)
      log += found.at(i, 0) * product(told.rows[i], study.cells->rows[unit]);
    result[unit] = std::exp(log);
  }
  return result;
}

const std::vector<PredictFewShotMethod>& predict_few_shot_methods() {
  static const std::vector<PredictFewShotMethod> all = {
      {"ours", "non-negative combination of smoothed devices, random labels", ours},
      {"chosen", "the same with labels chosen by what they tell", ours, true},
      {"proxy", "the device of the pool that fits the labels best, log-linear", best_proxy},
      {"pool mean", "mean of the pool's logarithms, log-linear", pool_mean},
      {"labels alone", "ridge regression on the operators of a cell", labels_alone}};
  return all;
}

std::vector<size_t> drawn(Random& random, size_t units, size_t count) {
  std::vector<size_t> order = random.shuffled(units);
  order.resize(std::min(count, units));
  return order;
}

PredictFewShotLabels labels_of(const PredictFewShotTarget& target,
                               const std::vector<size_t>& units) {
  PredictFewShotLabels labels;
  for (const size_t unit : units) labels.push_back({unit, target.true_ms[unit]});
  return labels;
}

/// One number a draw.
struct PredictFewShotScores {
  std::vector<double> spearman;
  std::vector<double> near;  ///< part of the units within 10 %
};

void predict_few_shot_score(const PredictFewShotTimes& predicted,
                            const PredictFewShotTarget& target, PredictFewShotScores& scores) {
  double near = 0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    near += std::abs(predicted[i] / target.true_ms[i] - 1) <= kPredictFewShotNear ? 1 : 0;
  }
  scores.spearman.push_back(spearman(predicted, target.true_ms));
  scores.near.push_back(near / static_cast<double>(predicted.size()));
}

/// By method.
std::vector<PredictFewShotScores> predict_few_shot_scores_of(const PredictFewShotStudy& study,
                                                             const PredictFewShotTarget& target) {
  std::vector<PredictFewShotScores> scores(predict_few_shot_methods().size());
  const DenseMatrix pool = columns_of(study.smooth_ms, target.pool);
  for (size_t draw = 0; draw < study.draws; ++draw) {
    Random random(study.seed, fmt::format("{} {}", study.table.devices[target.device], draw));
    const size_t units = study.table.units.size();
    const PredictFewShotLabels labels = labels_of(target, drawn(random, units, study.labels));
    const PredictFewShotLabels chosen =
        labels_of(target, informative_units(pool, drawn(random, units, kCandidates), study.labels));
    for (size_t i = 0; i < predict_few_shot_methods().size(); ++i) {
      const PredictFewShotMethod& method = predict_few_shot_methods()[i];
      predict_few_shot_score(method.predict(study, target, method.chooses_labels ? chosen : labels),
                             target, scores[i]);
    }
  }
  return scores;
}

/// The best rank correlation that one device of the pool has, by all of its values.
double oracle_proxy(const PredictFewShotStudy& study, const PredictFewShotTarget& target) {
  double best = -1;
  for (const size_t device : target.pool)
    best = std::max(
        best, spearman(predict_few_shot_column(study.table.times_ms, device), target.true_ms));
  return best;
}

struct DeviceScores {
  std::string name;
  bool is_coarse = false;                ///< whole milliseconds
  std::vector<PredictFewShotScores> of;  ///< by method
  double oracle = 0;
};

Result<std::vector<DeviceScores>> scores_of_devices(const PredictFewShotStudy& study) {
  std::vector<DeviceScores> all;
  for (size_t device = 0; device < study.table.devices.size(); ++device) {
    const std::string& name = study.table.devices[device];
    PredictFewShotTarget target{.device = device,
                                .pool = {},
                                .true_ms = predict_few_shot_column(study.table.times_ms, device)};
    for (size_t other = 0; other < study.table.devices.size(); ++other) {
      if (device_family(study.table.devices[other]) != device_family(name))
        target.pool.push_back(other);
    }
    if (target.pool.empty()) {
      return Error{ErrorCode::kInvalidInput, "all devices are of one family"}.with(
          "family", std::string(device_family(name)));
    }
    all.push_back({name, has_whole_times(study.table, device),
                   predict_few_shot_scores_of(study, target), oracle_proxy(study, target)});
    Report::progress(fmt::format("{} of {} devices", all.size(), study.table.devices.size()));
  }
  return all;
}

TextRow predict_few_shot_row_of(const DeviceScores& device) {
  const PredictFewShotScores& own = device.of.front();
  const auto [low, high] = std::ranges::minmax(own.spearman);
  TextRow row{.cells = {device.name + (device.is_coarse ? " *" : ""),
                        fmt::format("{:.1f}", 100 * mean(own.near)),
                        fmt::format("{:.3f} to {:.3f}", low, high)}};
  for (const PredictFewShotScores& scores : device.of)
    row.cells.push_back(fmt::format("{:.4f}", mean(scores.spearman)));
  row.cells.push_back(fmt::format("{:.4f}", device.oracle));
  return row;
}

/// The mean over devices of the means over draws, by method.
std::vector<double> means_of(const std::vector<DeviceScores>& devices, bool is_coarse,
                             std::vector<double> PredictFewShotScores::*values) {
  std::vector<double> sums(predict_few_shot_methods().size());
  double count = 0;
  for (const DeviceScores& device : devices) {
    if (device.is_coarse != is_coarse) continue;
    count += 1;
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += mean(device.of[i].*values);
  }
  for (double& sum : sums) sum /= std::max(count, 1.0);
  return sums;
}

void note_means(const std::vector<DeviceScores>& devices, bool is_coarse, const Report& report) {
  const auto count = std::ranges::count(devices, is_coarse, &DeviceScores::is_coarse);
  if (count == 0) return;
  const auto spearman = means_of(devices, is_coarse, &PredictFewShotScores::spearman);
  const auto near = means_of(devices, is_coarse, &PredictFewShotScores::near);
  report.note(
      fmt::format("mean of {} devices{}:", count, is_coarse ? " with whole milliseconds (*)" : ""));
  for (size_t i = 0; i < predict_few_shot_methods().size(); ++i) {
    report.note(fmt::format("  {:<13} Spearman {:.4f}, within 10 % {:.1f} %  ({})",
                            predict_few_shot_methods()[i].name, spearman[i], 100 * near[i],
                            predict_few_shot_methods()[i].summary));
  }
}

void print_predict_few_shot(const PredictFewShotStudy& study,
                            const std::vector<DeviceScores>& devices, Report& report) {
  TextTable table{.columns = {{"device"}, {"within 10 %", true}, {"draws"}}, .rows = {}};
  for (const PredictFewShotMethod& method : predict_few_shot_methods())
    table.columns.push_back({method.name, true});
  table.columns.push_back({"best proxy by all values", true});
  for (const DeviceScores& device : devices) table.rows.push_back(predict_few_shot_row_of(device));
  report.note(fmt::format("{} units, {} draws of {} labels; Spearman, means over draws",
                          study.table.units.size(), study.draws, study.labels));
  if (study.table.left_out > 0) {
    report.note(
        fmt::format("{} units without a time on every device are left out", study.table.left_out));
  }
  if (!study.cells) report.note("units are no cells of NAS-Bench-201: no features, no smoothing");
  report.note(aligned_text(table, 0, TextStyle(false)));
  note_means(devices, false, report);
  note_means(devices, true, report);
  const auto spearman = means_of(devices, false, &PredictFewShotScores::spearman);
  report.add({"few-shot: 1 - Spearman, mean of devices", 1 - spearman[0], kMostDisorder});
  report.add(
      {"few-shot: 1 - Spearman, ours / best proxy", (1 - spearman[0]) / (1 - spearman[2]), 1.0});
}

Result<void> run_predict_few_shot(const std::string& given, const Arguments& arguments,
                                  Report& report) {
  OPBENCH_TRY(LatencyTable table, read_latency_table(given));
  OPBENCH_TRY(const int64_t draws, arguments.integer("--draws", 1, 1000));
  OPBENCH_TRY(const int64_t labels, arguments.integer("--labels", 2, 1000));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  PredictFewShotStudy study{.table = std::move(table),
                            .cells = {},
                            .smooth_ms = {},
                            .draws = static_cast<size_t>(draws),
                            .labels = static_cast<size_t>(labels),
                            .seed = static_cast<uint64_t>(seed)};
  study.cells = cell_features(study.table.units);
  study.smooth_ms =
      study.cells ? smoothed_times(study.table.times_ms, *study.cells) : study.table.times_ms;
  OPBENCH_TRY(const std::vector<DeviceScores> devices, scores_of_devices(study));
  print_predict_few_shot(study, devices, report);
  return {};
}

}  // namespace

PredictPart predict_few_shot() {
  return {.option = {.name = "--few-shot",
                     .value_name = "TABLE.csv",
                     .help = "latencies in ms, a line a unit, a column a device (name_batch)"},
          .options = {{.name = "--draws",
                       .value_name = "N",
                       .help = "of --few-shot: sets of labels for each device",
                       .otherwise = "5"},
                      {.name = "--labels",
                       .value_name = "N",
                       .help = "of --few-shot: units measured on the new device",
                       .otherwise = "10"}},
          .data = "nas-latency/nas-bench-201.csv",
          .run = run_predict_few_shot};
}

}  // namespace opbench
