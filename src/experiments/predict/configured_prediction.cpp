#include "experiments/predict/configured_prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/files/text_file.h"
#include "experiments/predict/configured_ceilings.h"
#include "experiments/unit_times/predicted_model.h"
#include "kernels/schedules/schedule.h"
#include "prediction/predict/files/read_samples.h"
#include "prediction/predict/planned_units.h"
#include "prediction/predict/ratio_model.h"

namespace opbench {
namespace {

constexpr const char* kEngine = "halide";

using Records = std::vector<BenchmarkRecord>;

Result<Records> read_records(const std::vector<std::filesystem::path>& files) {
  Records all;
  for (const std::filesystem::path& file : files) {
    OPBENCH_TRY(const std::string text, read_text_file(file));
    auto records = parse_record_lines(text);
    if (!records) return Error(records.error()).with("in", file.string());
    std::ranges::move(*records, std::back_inserter(all));
  }
  return all;
}

bool is_usable(const BenchmarkRecord& record) {
  return !is_predicted(record) && record.engine == kEngine && record.status == "ok";
}

/// Of the model: by its name; of a workload every unit, as units are found by their text.
Result<Records> records_of_model(Records records, const PlannedModel& model) {
  std::set<std::string> models;
  Records kept;
  for (BenchmarkRecord& record : records) {
    if (!is_usable(record)) continue;
    models.insert(record.model.value_or(""));
    if (model.is_workload || record.model == model.name) kept.push_back(std::move(record));
  }
  if (!kept.empty()) return kept;
  Error error{ErrorCode::kNoMatch, fmt::format("no record of \"{}\" by {}", model.name, kEngine)};
  for (const std::string& other : models) error.facts.push_back({"there is", other});
  return std::move(error).with("help", "opbench profile MODEL --record FILE makes them");
}

Result<Configuration> only_configuration(const Records& records) {
  std::set<std::string> texts;
  Configuration found;
  for (const BenchmarkRecord& record : records) {
    OPBENCH_TRY(found, configuration_of(record));
    texts.insert(text_of(found));
  }
  if (texts.size() == 1) return found;
  Error error{ErrorCode::kInvalidInput, "the records are of several configurations"};
  for (const std::string& text : texts) error.facts.push_back({"there is", text});
  return error;
}

Result<SampleSet> samples_in(const ConfiguredRequest& request, const Records& records,
                             const Configuration& configuration) {
  OPBENCH_TRY(const Ceilings measured, configured_ceilings(configuration, request.folder));
  SampleCollector collector({.engine = kEngine,
                             .threads = configuration.threads,
                             .machine_hash = request.machine_hash,
                             .schedule_version = schedule_version(),
                             .ceilings = measured});
  for (const BenchmarkRecord& record : records) {
    const auto own = configuration_of(record);
    if (own && *own == configuration) collector.add(record);
  }
  return collector.samples();
}

Error without_samples(const SampleSet& samples) {
  Error error{ErrorCode::kInvalidInput, "no record of the model can be used"};
  for (const auto& [reason, count] : samples.left_out) {
    error.facts.push_back({"left out", fmt::format("{} × {}", count, reason)});
  }
  return error;
}

/// Every two configurations of the records whose change teaches about the one that is asked for.
Result<RatioModel> learnt_model(const ConfiguredRequest& request, const Configuration& from,
                                const Configuration& to) {
  if (request.pairs.empty()) return RatioModel();
  OPBENCH_TRY(const Records records, read_records(request.pairs));
  std::vector<Configuration> configurations;
  for (const BenchmarkRecord& record : records) {
    const auto own = is_usable(record) ? configuration_of(record) : Error{ErrorCode::kNoMatch, ""};
    if (own && std::ranges::count(configurations, *own) == 0) configurations.push_back(*own);
  }
  std::vector<RatioPair> pairs;
  for (const Configuration& a : configurations) {
    for (const Configuration& b : configurations) {
      const RatioPair change{.from = a, .to = b};
      if (a == b || !is_alike(change, from, to)) continue;
      OPBENCH_TRY(const SampleSet in_a, samples_in(request, records, a));
      OPBENCH_TRY(const SampleSet in_b, samples_in(request, records, b));
      std::ranges::move(pairs_of(in_a, a, in_b, b), std::back_inserter(pairs));
    }
  }
  return RatioModel::fit(pairs);
}

Result<PlannedModel> planned(const ConfiguredRequest& request, const Configuration& in) {
  ProfileRequest profile = request.model;
  profile.threads = {in.threads};
  OPBENCH_TRY(const Target target, target_of(in.isa));
  profile.settings.target = display_text(target);
  return plan_model(profile);
}

/// Measured units by their keys, and how their times stand to their bounds.
struct MeasuredUnits {
  std::map<std::string, const UnitSample*> by_key;
  double usual_ratio = 1;  ///< of time over bound, the median

  explicit MeasuredUnits(const SampleSet& samples) {
    std::vector<double> ratios;
    for (const UnitSample& sample : samples.units) {
      const double seconds = compared_seconds(sample);
      if (seconds <= 0) continue;
      ratios.push_back(seconds / sample.features.bound_s);
      const UnitSample*& kept = by_key[unit_key(sample)];
      if (kept == nullptr || seconds < compared_seconds(*kept)) kept = &sample;
    }
    std::ranges::sort(ratios);
    if (!ratios.empty()) usual_ratio = ratios[ratios.size() / 2];
  }
};

PredictedUnit predicted_unit(const PlannedUnit& unit, const MeasuredUnits& measured,
                             const ConfiguredPrediction& change, const RatioModel& model,
                             double level) {
  UnitSample sample;
  sample.identity = unit.identity;
  sample.features = unit.features;
  RatioPair pair{.from = change.from, .to = change.to, .to_features = unit.features};
  PredictedUnit time;
  const auto found = measured.by_key.find(unit_key(sample));
  if (found == measured.by_key.end()) {
    pair.from_features = unit.features;
    pair.from_s = unit.features.bound_s * measured.usual_ratio;
    const PredictedTime guess = RatioModel().predict(pair, level);
    return {.isolated = guess,
            .in_model = guess,
            .is_in_range = false,
            .why_not = "the records have no undisturbed time of it"};
  }
  const UnitSample& from = *found->second;
  pair.from_features = from.features;
  pair.from_s = compared_seconds(from);
  time.in_model = model.predict(pair, level);
  time.isolated = time.in_model;
  if (!from.isolated_s) return time;
  pair.from_s = *from.isolated_s;
  time.isolated = model.predict(pair, level);
  return time;
}

void add(PredictedTime& sum, const PredictedTime& time, double count) {
  sum.median_s += time.median_s * count;
  sum.low_s += time.low_s * count;
  sum.high_s += time.high_s * count;
  sum.is_assumed = sum.is_assumed || time.is_assumed;
}

/// What a call of the model takes beside its units.
double overhead_s(const SampleSet& samples) {
  double overhead = 0;
  for (const ModelSample& model : samples.models) {
    double sum = 0;
    for (const auto& [unit, count] : model.units) {
      sum += samples.units[unit].in_model_s.value_or(0) * static_cast<double>(count);
    }
    overhead = std::max(overhead, sum > 0 ? model.end_to_end_s - sum : 0);
  }
  return overhead;
}

}  // namespace

Result<ConfiguredPrediction> predict_configured(const ConfiguredRequest& request) {
  OPBENCH_TRY(const PlannedModel named, planned(request, {.isa = vector_isa(host_target())}));
  OPBENCH_TRY(Records all, read_records(request.from));
  OPBENCH_TRY(const Records records, records_of_model(std::move(all), named));
  ConfiguredPrediction result{.model = named.name, .is_workload = named.is_workload};
  OPBENCH_TRY(result.from, only_configuration(records));
  OPBENCH_TRY(result.to, changed(result.from, request.change));
  if (result.to == result.from) {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" changes nothing", request.change)}
        .with("measured", text_of(result.from));
  }
  OPBENCH_TRY(const SampleSet samples, samples_in(request, records, result.from));
  const MeasuredUnits measured(samples);
  if (measured.by_key.empty()) return without_samples(samples);
  OPBENCH_TRY(const Ceilings ceilings, configured_ceilings(result.to, request.folder));
  OPBENCH_TRY(const PlannedModel model, planned(request, result.to));
  OPBENCH_TRY(const RatioModel ratios, learnt_model(request, result.from, result.to));
  result.pairs = ratios.pairs();
  result.missing = model.missing;
  for (const PlannedUnit& unit : planned_units(model.steps, ceilings)) {
    PredictedRow row = row_of(unit);
    row.time = predicted_unit(unit, measured, result, ratios, request.level);
    if (!row.time.is_in_range) result.prediction.out_of_range += row.count;
    const bool is_around =
        result.is_workload && row.identity.nodes.empty();  // layouts around a workload
    const PredictedTime& time = result.is_workload ? row.time.isolated : row.time.in_model;
    if (!is_around) add(result.prediction.total, time, static_cast<double>(row.count));
    result.prediction.units.push_back(std::move(row));
  }
  const double overhead = result.is_workload ? 0 : overhead_s(samples);
  result.prediction.parts =
      TotalParts{.sum_s = result.prediction.total.median_s, .call_overhead_s = overhead};
  add(result.prediction.total, {overhead, overhead, overhead}, 1);
  sort_by_time(result.prediction);
  return result;
}

}  // namespace opbench
