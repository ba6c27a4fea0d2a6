// `./dev bench predict --devices DIR`: configurations of this machine stand for devices. One is
// predicted from ten labels and the probes of its descriptor, and from what other devices take.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/numbers/random.h"
#include "benchmarks/predict/devices.h"
#include "benchmarks/predict/part.h"
#include "measuring/results/statistics.h"
#include "prediction/analysis/ranks.h"
#include "prediction/few_shot/few_shot.h"
#include "prediction/predict/error_figures.h"
#include "prediction/predict/ratio_pairs.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {
namespace {

constexpr double kPredictAtHomeNear = 0.1;
constexpr double kLeastGain = 20;  // percentage points within 10 % over no descriptor

using PredictAtHomeTimes = std::vector<double>;
using PredictAtHomeLabels = std::vector<LabelledUnit>;

/// Units that every device has run, and the probe kernels, which are told apart: a descriptor.
struct PredictAtHomeStudy {
  std::vector<std::string> devices;
  std::vector<std::string> targets;  ///< that kernels were compiled for
  DenseMatrix times;                 ///< units x devices
  DenseMatrix probes;                ///< probes x devices
  size_t draws = 5;
  size_t labels = 10;
  uint64_t seed = 0;
};

/// One that is left out, and the others.
struct PredictAtHomeTarget {
  size_t device = 0;
  std::vector<size_t> pool;
};

PredictAtHomeTimes predict_at_home_column(const DenseMatrix& matrix, size_t at) {
  PredictAtHomeTimes values;
  for (size_t row = 0; row < matrix.rows; ++row) values.push_back(matrix.at(row, at));
  return values;
}

/// Mean of the logarithms over the pool: what a unit takes when nothing is known of a device.
PredictAtHomeTimes pool_means(const DenseMatrix& times, const std::vector<size_t>& pool) {
  PredictAtHomeTimes means(times.rows);
  for (size_t unit = 0; unit < times.rows; ++unit) {
    for (const size_t device : pool) means[unit] += std::log(times.at(unit, device));
    means[unit] = std::exp(means[unit] / static_cast<double>(pool.size()));
  }
  return means;
}

/// The median ratio of labels over these times.
double factor_of(const PredictAtHomeTimes& times, const PredictAtHomeLabels& labels) {
  std::vector<double> ratios;
  for (const LabelledUnit& label : labels) ratios.push_back(label.time / times[label.unit]);
  return ratios.empty() ? 1 : median(ratios);
}

PredictAtHomeTimes scaled(PredictAtHomeTimes times, double factor) {
  for (double& time : times) time *= factor;
  return times;
}

DevicePool pool_of(const PredictAtHomeStudy& study, const PredictAtHomeTarget& target,
                   bool has_probes) {
  DevicePool pool{.times = columns_of(study.times, target.pool)};
  if (has_probes) pool.probes = columns_of(study.probes, target.pool);
  return pool;
}

PredictAtHomeTimes combined(const PredictAtHomeStudy& study, const PredictAtHomeTarget& target,
                            const PredictAtHomeLabels& labels, bool has_probes) {
  FewShotDevice device{.labels = labels};
  if (has_probes) device.probes = predict_at_home_column(study.probes, target.device);
  return predict_few_shot(pool_of(study, target, has_probes), device).value();
}

/// The device of the pool whose times differ from the labels by the evenest factor.
PredictAtHomeTimes proxy(const PredictAtHomeStudy& study, const PredictAtHomeTarget& target,
                         const PredictAtHomeLabels& labels) {
  PredictAtHomeTimes best;
  double least = std::numeric_limits<double>::infinity();
  for (const size_t device : target.pool) {
    PredictAtHomeTimes times = predict_at_home_column(study.times, device);
    const double factor = factor_of(times, labels);
    double error = 0;
    for (const LabelledUnit& label : labels)
      error += std::abs(std::log(label.time / times[label.unit] / factor));
    if (error >= least) continue;
    least = error;
    best = scaled(std::move(times), factor);
  }
  return best;
}

struct PredictAtHomeMethod {
  std::string name;
  std::string summary;
  std::function<PredictAtHomeTimes(const PredictAtHomeStudy&, const PredictAtHomeTarget&,
                                   const PredictAtHomeLabels&)>
      predict;
};

const std::vector<PredictAtHomeMethod>& predict_at_home_methods() {
  static const std::vector<PredictAtHomeMethod> kAll = {
      {"ours", "non-negative combination of devices by labels and probes",
       [](const PredictAtHomeStudy& s, const PredictAtHomeTarget& t, const PredictAtHomeLabels& l) {
         return combined(s, t, l, true);
       }},
      {"probes", "the same by the probes alone",
       [](const PredictAtHomeStudy& s, const PredictAtHomeTarget& t, const PredictAtHomeLabels&) {
         return combined(s, t, {}, true);
       }},
      {"labels", "the same by the labels alone",
       [](const PredictAtHomeStudy& s, const PredictAtHomeTarget& t, const PredictAtHomeLabels& l) {
         return combined(s, t, l, false);
       }},
      {"no descriptor", "one time a unit for all devices, times a factor that the labels tell",
       [](const PredictAtHomeStudy& s, const PredictAtHomeTarget& t, const PredictAtHomeLabels& l) {
         const PredictAtHomeTimes means = pool_means(s.times, t.pool);
         return scaled(means, factor_of(means, l));
       }},
      {"proxy", "the device of the pool that fits the labels best, times a factor", proxy}};
  return kAll;
}

struct PredictAtHomeScores {
  std::vector<double> near, error, rank;
};

void predict_at_home_score(const PredictAtHomeTimes& predicted, const PredictAtHomeTimes& truth,
                           const std::set<size_t>& labelled, PredictAtHomeScores& scores) {
  double near = 0, error = 0, count = 0;
  PredictAtHomeTimes left, right;
  for (size_t i = 0; i < truth.size(); ++i) {
    if (labelled.contains(i)) continue;
    const double off = std::abs(predicted[i] / truth[i] - 1);
    near += off <= kPredictAtHomeNear ? 1 : 0;
    error += off;
    count += 1;
    left.push_back(predicted[i]);
    right.push_back(truth[i]);
  }
  scores.near.push_back(near / count);
  scores.error.push_back(error / count);
  scores.rank.push_back(spearman(left, right));
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(std::max<size_t>(values.size(), 1));
}

std::vector<PredictAtHomeScores> predict_at_home_scores_of(const PredictAtHomeStudy& study,
                                                           const PredictAtHomeTarget& target) {
  std::vector<PredictAtHomeScores> all(predict_at_home_methods().size());
  const PredictAtHomeTimes truth = predict_at_home_column(study.times, target.device);
  for (size_t draw = 0; draw < study.draws; ++draw) {
    Random random(study.seed, fmt::format("{} {}", study.devices[target.device], draw));
    std::vector<size_t> order = random.shuffled(truth.size());
    order.resize(std::min(study.labels, order.size()));
    PredictAtHomeLabels labels;
    for (const size_t unit : order) labels.push_back({unit, truth[unit]});
    const std::set<size_t> labelled(order.begin(), order.end());
    for (size_t i = 0; i < all.size(); ++i)
      predict_at_home_score(predict_at_home_methods()[i].predict(study, target, labels), truth,
                            labelled, all[i]);
  }
  return all;
}

/// Times by unit and device, of units that all devices have.
DenseMatrix matrix_of(const std::vector<std::map<std::string, double>>& devices) {
  std::vector<std::string> keys;
  for (const auto& [key, time] : devices.front()) {
    const bool is_everywhere =
        std::ranges::all_of(devices, [&](const auto& times) { return times.contains(key); });
    if (is_everywhere) keys.push_back(key);
  }
  DenseMatrix matrix(keys.size(), devices.size());
  for (size_t row = 0; row < keys.size(); ++row)
    for (size_t i = 0; i < devices.size(); ++i) matrix.at(row, i) = devices[i].at(keys[row]);
  return matrix;
}

PredictAtHomeStudy study_of(const std::vector<DeviceSamples>& devices, const DeviceCorpus& corpus) {
  std::set<std::string> probe_texts;
  for (const std::string& text : batch_workloads(corpus, 0)) probe_texts.insert(text);
  PredictAtHomeStudy study;
  std::vector<std::map<std::string, double>> units, probes;
  for (const DeviceSamples& samples : devices) {
    study.devices.push_back(samples.device.name);
    study.targets.push_back(samples.device.target);
    std::map<std::string, double> of_units, of_probes;
    for (const UnitSample& unit : samples.fastest.units) {
      if (unit.features.kind == "layout") continue;
      const std::string key = unit_key(unit);
      const std::string text = key.substr(0, key.find('|'));
      (probe_texts.contains(text) ? of_probes : of_units)[key] = compared_seconds(unit);
    }
    units.push_back(std::move(of_units));
    probes.push_back(std::move(of_probes));
  }
  study.times = matrix_of(units);
  study.probes = matrix_of(probes);
  return study;
}

/// Without the devices that run the same kernels on as many threads: a twin would tell too much.
PredictAtHomeTarget target_of(const PredictAtHomeStudy& study,
                              const std::vector<DeviceSamples>& devices, size_t device) {
  PredictAtHomeTarget target{.device = device, .pool = {}};
  for (size_t i = 0; i < study.devices.size(); ++i) {
    const bool is_twin =
        study.targets[i] == study.targets[device] &&
        devices[i].device.configuration.threads == devices[device].device.configuration.threads;
    if (!is_twin) target.pool.push_back(i);
  }
  return target;
}

Result<void> report_devices(const std::vector<DeviceSamples>& devices, const DeviceCorpus& corpus,
                            Report& report) {
  PredictAtHomeStudy study = study_of(devices, corpus);
  study.seed = corpus.seed;
  if (study.devices.size() < 3 || study.times.rows <= study.labels) {
    return Error{ErrorCode::kNoMatch, "three devices with the same units are needed"}.with(
        "resume", "the same command goes on measuring");
  }
  TextTable table{.columns = {{"device"}}, .rows = {}};
  for (const PredictAtHomeMethod& method : predict_at_home_methods())
    table.columns.push_back({method.name, true});
  table.columns.push_back({"error, ours", true});
  table.columns.push_back({"rank, ours", true});
  table.columns.push_back({"noise", true});
  std::vector<double> near(predict_at_home_methods().size()), errors;
  for (size_t i = 0; i < study.devices.size(); ++i) {
    const std::vector<PredictAtHomeScores> scores =
        predict_at_home_scores_of(study, target_of(study, devices, i));
    TextRow row{{study.devices[i]}};
    for (size_t m = 0; m < scores.size(); ++m) {
      near[m] += 100 * mean(scores[m].near) / static_cast<double>(study.devices.size());
      row.cells.push_back(fmt::format("{:.1f}", 100 * mean(scores[m].near)));
    }
    errors.push_back(mean(scores[0].error));
    row.cells.push_back(fmt::format("{:.1f}", 100 * mean(scores[0].error)));
    row.cells.push_back(fmt::format("{:.3f}", mean(scores[0].rank)));
    row.cells.push_back(fmt::format("{:.1f}", 100 * noise_of(devices[i])));
    table.rows.push_back(std::move(row));
  }
  report.note(fmt::format("percent of {} units within 10 %, {} labels, {} probes, {} draws",
                          study.times.rows, study.labels, study.probes.rows, study.draws));
  report.note(aligned_text(table, 0, TextStyle(false)));
  for (const PredictAtHomeMethod& method : predict_at_home_methods())
    report.note(fmt::format("{}: {}", method.name, method.summary));
  report.note(fmt::format("mean error of ours {:.1f} %", 100 * mean(errors)));
  report.note(
      fmt::format("within 10 %: {:.1f} % with, {:.1f} % without a descriptor", near[0], near[3]));
  // Smaller is better for all bars: what is missing to the gain.
  report.add({fmt::format("devices: points within 10 % that are missing to {} more than without a "
                          "descriptor, {} devices",
                          kLeastGain, study.devices.size()),
              std::max(0.0, kLeastGain - (near[0] - near[3])), 0});
  return {};
}

Result<void> run_predict_at_home(const std::string& folder, const Arguments& arguments,
                                 Report& report) {
  DeviceCorpus corpus{.folder = folder};
  OPBENCH_TRY(corpus.budget_s, arguments.seconds("--measuring"));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  corpus.seed = static_cast<uint64_t>(seed);
  OPBENCH_TRY(const size_t missing, measure_devices(corpus));
  if (missing > 0) report.note(fmt::format("{} visits are not made yet", missing));
  OPBENCH_TRY(const std::vector<DeviceSamples> devices, read_devices(corpus));
  return report_devices(devices, corpus, report);
}

}  // namespace

PredictPart predict_at_home() {
  return {
      .option = {.name = "--devices",
                 .value_name = "DIR",
                 .help = "predict a configuration of this machine as a device, from ten labels\n"
                         "and the probes; what is measured is that of --configurations"},
      .options = {},
      .run = run_predict_at_home};
}

}  // namespace opbench
