// `./dev bench predict --configurations DIR`: times of units in one configuration of this machine
// from their times in another one. Every workload is held out once: nothing is learnt from it in
// any configuration.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/numbers/random.h"
#include "benchmarks/predict/devices.h"
#include "benchmarks/predict/part.h"
#include "prediction/predict/error_figures.h"
#include "prediction/predict/ratio_model.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {
namespace {

constexpr int kPredictConfigurationsParts = 5;
constexpr double kPredictConfigurationsMostError = 0.12;

/// From one device to another.
struct Change {
  const char* from;
  const char* to;
};
constexpr Change kChanges[] = {
    {"t1-avx512", "t2-avx512"},        {"t2-avx512", "t1-avx512"},   {"t1-avx2", "t2-avx2"},
    {"t1-avx512", "t1-avx2"},          {"t1-avx2", "t1-avx512"},     {"t1-avx2", "t1-sse4.1"},
    {"t1-avx512", "t1-avx512-memory"}, {"t1-avx2", "t1-avx2-memory"}};

using Pairs = std::vector<RatioPair>;

/// A ratio of times without trees, from the pairs of the change itself.
struct Method {
  std::string name;
  std::function<double(const Pairs& known, const RatioPair& unit)> ratio;
};

double predict_configurations_mean_ratio(const Pairs& known, const std::string& kind) {
  double sum = 0, count = 0;
  for (const RatioPair& pair : known) {
    if (!kind.empty() && pair.to_features.kind != kind) continue;
    sum += std::log(pair.to_s / pair.from_s);
    count += 1;
  }
  if (count < 3 && !kind.empty()) return predict_configurations_mean_ratio(known, "");
  return std::exp(sum / std::max(count, 1.0));
}

WaveScaling scaling_of(const RatioPair& unit) {
  return wave_scaling(unit.from_features, unit.from.threads, unit.to_features, unit.to.threads);
}

const std::vector<Method>& predict_configurations_methods() {
  static const std::vector<Method> kAll = {
      {"mean ratio", [](const Pairs& known,
                        const RatioPair&) { return predict_configurations_mean_ratio(known, ""); }},
      {"by kind",
       [](const Pairs& known, const RatioPair& unit) {
         return predict_configurations_mean_ratio(known, unit.to_features.kind);
       }},
      {"peak", [](const Pairs&, const RatioPair& unit) { return scaling_of(unit).compute_ratio; }},
      {"bandwidth",
       [](const Pairs&, const RatioPair& unit) { return scaling_of(unit).memory_ratio; }},
      {"roofline",
       [](const Pairs&, const RatioPair& unit) {
         return unit.to_features.bound_s / unit.from_features.bound_s;
       }},
      {"wave scaling", [](const Pairs&, const RatioPair& unit) { return scaling_of(unit).ratio; }}};
  return kAll;
}

/// What came out for one change, by method; ours under its own name.
struct Outcomes {
  std::map<std::string, std::vector<PredictedPair>> pairs;
  std::vector<PredictedPair> layouts;  ///< of ours: changes of layout around the workloads
  std::set<std::string> workloads;
  double covered = 0;  ///< units inside their 90 % interval
};

constexpr const char* kPredictConfigurationsOurs = "ours";

/// In which part a workload is held out.
int part_of(const std::string& workload, uint64_t seed) {
  return static_cast<int>(Random(seed, "held out " + workload).below(kPredictConfigurationsParts));
}

const DeviceSamples* find(const std::vector<DeviceSamples>& devices, const std::string& name) {
  const auto is_it = [&](const DeviceSamples& samples) { return samples.device.name == name; };
  const auto found = std::ranges::find_if(devices, is_it);
  return found == devices.end() ? nullptr : &*found;
}

Pairs all_pairs(const DeviceSamples& from, const DeviceSamples& to) {
  return pairs_of(from.fastest, from.device.configuration, to.fastest, to.device.configuration);
}

/// The pairs of all devices that teach about a change.
Pairs teaching_pairs(const std::vector<DeviceSamples>& devices, const RatioPair& asked) {
  Pairs teaching;
  for (const DeviceSamples& from : devices) {
    for (const DeviceSamples& to : devices) {
      if (&from == &to || (from.device.configuration == to.device.configuration)) continue;
      const RatioPair change{.from = from.device.configuration, .to = to.device.configuration};
      if (!is_alike(change, asked.from, asked.to)) continue;
      // sandybridge is a target of its own, though its level is that of sse4.1.
      if ((from.device.target == to.device.target) != (asked.from.isa == asked.to.isa)) continue;
      Pairs pairs = all_pairs(from, to);
      std::ranges::move(pairs, std::back_inserter(teaching));
    }
  }
  return teaching;
}

Result<Outcomes> outcomes_of(const Pairs& units, const Pairs& teaching, uint64_t seed) {
  Outcomes outcomes;
  for (int part = 0; part < kPredictConfigurationsParts; ++part) {
    const auto is_known = [&](const RatioPair& pair) {
      return part_of(pair.workload, seed) != part;
    };
    Pairs known, taught;
    std::ranges::copy_if(units, std::back_inserter(known), is_known);
    std::ranges::copy_if(teaching, std::back_inserter(taught), is_known);
    OPBENCH_TRY(const RatioModel model, RatioModel::fit(taught));
    for (const RatioPair& unit : units) {
      if (is_known(unit)) continue;
      const PredictedTime time = model.predict(unit, 0.9);
      if (unit.to_features.kind == "layout") {
        outcomes.layouts.push_back({time.median_s, unit.to_s});
        continue;
      }
      outcomes.pairs[kPredictConfigurationsOurs].push_back({time.median_s, unit.to_s});
      outcomes.covered += unit.to_s >= time.low_s && unit.to_s <= time.high_s ? 1 : 0;
      outcomes.workloads.insert(unit.workload);
      for (const Method& method : predict_configurations_methods()) {
        outcomes.pairs[method.name].push_back({unit.from_s * method.ratio(known, unit), unit.to_s});
      }
    }
  }
  return outcomes;
}

std::string predict_configurations_percent(double share) {
  return fmt::format("{:.1f}", 100 * share);
}

/// The mean of the changes' mean errors, by method.
using Means = std::map<std::string, double>;

TextTable table_of_changes() {
  TextTable table{.columns = {{"change"},
                              {"units", true},
                              {"ours", true},
                              {"in 10 %", true},
                              {"covered", true}},
                  .rows = {}};
  for (const Method& method : predict_configurations_methods())
    table.columns.push_back({method.name, true});
  table.columns.push_back({"layouts, ours", true});
  table.columns.push_back({"noise", true});
  return table;
}

void add_predict_configurations_bars(const Means& means, size_t changes, size_t workloads,
                                     Report& report) {
  const auto name = [&](const std::string& what) {
    return fmt::format("configurations: {}, {} changes, {} workloads", what, changes, workloads);
  };
  report.add(
      {name("mean error"), means.at(kPredictConfigurationsOurs), kPredictConfigurationsMostError});
  for (const Method& method : predict_configurations_methods()) {
    report.add({name("mean error / that of " + method.name),
                means.at(kPredictConfigurationsOurs) / means.at(method.name), 1});
  }
}

Result<void> report_changes(const std::vector<DeviceSamples>& devices, uint64_t seed,
                            Report& report) {
  TextTable table = table_of_changes();
  Means means;
  std::set<std::string> workloads;
  for (const Change& change : kChanges) {
    const DeviceSamples* from = find(devices, change.from);
    const DeviceSamples* to = find(devices, change.to);
    if (from == nullptr || to == nullptr) continue;
    const Pairs units = all_pairs(*from, *to);
    if (units.size() < RatioModel::kFewestPairs) continue;
    OPBENCH_TRY(const Outcomes outcomes,
                outcomes_of(units, teaching_pairs(devices, units.front()), seed));
    const ErrorFigures ours = error_figures(outcomes.pairs.at(kPredictConfigurationsOurs));
    TextRow row{
        {fmt::format("{} -> {}", change.from, change.to), std::to_string(ours.count),
         predict_configurations_percent(ours.mean), predict_configurations_percent(ours.within_10),
         predict_configurations_percent(outcomes.covered / static_cast<double>(ours.count))}};
    means[kPredictConfigurationsOurs] += ours.mean;
    for (const Method& method : predict_configurations_methods()) {
      const double mean = error_figures(outcomes.pairs.at(method.name)).mean;
      means[method.name] += mean;
      row.cells.push_back(predict_configurations_percent(mean));
    }
    row.cells.push_back(predict_configurations_percent(error_figures(outcomes.layouts).mean));
    row.cells.push_back(predict_configurations_percent((noise_of(*from) + noise_of(*to)) / 2));
    table.rows.push_back(std::move(row));
    workloads.insert(outcomes.workloads.begin(), outcomes.workloads.end());
  }
  if (table.rows.empty()) return Error{ErrorCode::kNoMatch, "no two configurations are measured"};
  for (auto& [method, sum] : means) sum /= static_cast<double>(table.rows.size());
  report.note("mean error in % of units whose workloads were held out, 90 % intervals");
  report.note(aligned_text(table, 0, TextStyle(false)));
  add_predict_configurations_bars(means, table.rows.size(), workloads.size(), report);
  return {};
}

Result<void> run_predict_configurations(const std::string& folder, const Arguments& arguments,
                                        Report& report) {
  DeviceCorpus corpus{.folder = folder};
  OPBENCH_TRY(corpus.budget_s, arguments.seconds("--measuring"));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  corpus.seed = static_cast<uint64_t>(seed);
  OPBENCH_TRY(const size_t missing, measure_devices(corpus));
  if (missing > 0) report.note(fmt::format("{} visits are not made yet", missing));
  OPBENCH_TRY(const std::vector<DeviceSamples> devices, read_devices(corpus));
  return report_changes(devices, corpus.seed, report);
}

}  // namespace

PredictPart predict_configurations() {
  return {.option = {.name = "--configurations",
                     .value_name = "DIR",
                     .help = "predict units in another configuration of this machine; what is\n"
                             "measured lies there, and the same command goes on"},
          .options = {{.name = "--measuring",
                       .value_name = "TIME",
                       .help = "of --configurations: for measuring what is missing",
                       .otherwise = "1h"}},
          .run = run_predict_configurations};
}

}  // namespace opbench
