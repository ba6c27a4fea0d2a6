#include "experiments/predict/device_prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "base/files/text_file.h"
#include "base/system/seconds.h"
#include "experiments/predict/probe_json.h"
#include "experiments/unit_times/predicted_model.h"
#include "prediction/few_shot/few_shot.h"
#include "prediction/predict/interval_scale.h"
#include "prediction/predict/planned_units.h"
#include "records/record/benchmark_record.h"
#include "records/record/own_workload.h"

namespace opbench {
namespace {

/// A time of the device.
struct DeviceTime {
  std::string workload;
  double seconds = 0;
  bool is_probe = false;
};

Result<std::vector<DeviceTime>> read_probes(const std::filesystem::path& path) {
  OPBENCH_TRY(const std::string text, read_text_file(path));
  OPBENCH_TRY(const DeviceDescriptor device, parse_probe_report(text, path.string()));
  std::vector<DeviceTime> times;
  for (const ProbeTime& probe : device.probes) {
    times.push_back({probe.probe.workload, ms_to_s(probe.time->median_ms), true});
  }
  return times;
}

Result<std::vector<DeviceTime>> read_labels(const std::filesystem::path& path) {
  OPBENCH_TRY(const std::string text, read_text_file(path));
  auto records = parse_record_lines(text);
  if (!records) return Error(records.error()).with("in", path.string());
  std::vector<DeviceTime> times;
  for (const BenchmarkRecord& record : *records) {
    if (is_predicted(record) || record.scope != "unit" || record.status != "ok") continue;
    const std::optional<double> ms =
        record.runtime_ms_median ? record.runtime_ms_median : record.runtime_ms_in_place;
    const bool is_layout = record.nodes && record.nodes->empty();  // made around the workload
    if (record.workload.empty() || is_layout || !ms) continue;
    times.push_back({own_workload(record), ms_to_s(*ms), false});
  }
  return times;
}

/// A unit as the known devices see it: predicted times there, and the parts of its bound.
struct Columns {
  std::vector<double> isolated, in_model;
};

/// Bounds have no part of these where they are 0; a share of the bound keeps columns above 0.
constexpr double kDevicePredictionLeastPart = 1e-4;

void add_parts(const UnitFeatures& features, std::vector<double>& columns) {
  const double least = kDevicePredictionLeastPart * features.bound_s;
  columns.push_back(std::max(features.roofline.compute_s, least));
  columns.push_back(std::max(features.roofline.memory_s, least));
  columns.push_back(kLeastBound);
}

/// What all planned units take by every predictor of the pool, in the order of `planned_units`.
class PooledUnits {
 public:
  PooledUnits(const PlannedModel& model, const std::vector<UnitPredictor>& pool, double level) {
    for (const UnitPredictor& predictor : pool) add(model, predictor, level);
  }

  const std::vector<PlannedUnit>& units() const { return units_; }
  const std::vector<Columns>& columns() const { return columns_; }
  const std::vector<PredictedUnit>& here() const { return here_; }  ///< by the first predictor

 private:
  void add(const PlannedModel& model, const UnitPredictor& predictor, double level) {
    const std::vector<PlannedUnit> units = planned_units(model.steps, predictor.ceilings);
    std::vector<CountedUnit> in_model;
    for (const PlannedUnit& unit : units) in_model.push_back(counted(unit));
    const ModelContext context = context_of(in_model, predictor.ceilings, predictor.threads);
    const bool is_first = units_.empty();
    columns_.resize(units.size());
    for (size_t i = 0; i < units.size(); ++i) {
      const PredictedUnit time = predict_unit(predictor, units[i].features, context, level);
      columns_[i].isolated.push_back(time.isolated.median_s);
      columns_[i].in_model.push_back(time.in_model.median_s);
      if (is_first) here_.push_back(time);
    }
    if (!is_first) return;
    units_ = units;
    for (size_t i = 0; i < units.size(); ++i) {
      add_parts(units[i].features, columns_[i].isolated);
      add_parts(units[i].features, columns_[i].in_model);
    }
  }

  std::vector<PlannedUnit> units_;
  std::vector<Columns> columns_;
  std::vector<PredictedUnit> here_;
};

Result<PlannedModel> plan_here(ProfileRequest request, const UnitPredictor& predictor) {
  request.threads = {predictor.threads};
  return plan_model(request);
}

/// Rows that the weights are fitted to.
struct KnownRow {
  std::vector<double> columns;
  double seconds = 0;
  bool is_probe = false;
};

/// Of a workload alone: the unit that is no change of layout.
Result<KnownRow> known_row(const DeviceTime& time, const DeviceRequest& request) {
  ProfileRequest profile;
  profile.model.workload = time.workload;
  OPBENCH_TRY(const PlannedModel planned, plan_here(std::move(profile), request.pool.front()));
  if (!planned.missing.empty()) {
    return Error{ErrorCode::kInvalidInput, "its operator is not known here"};
  }
  const PooledUnits pooled(planned, request.pool, request.level);
  KnownRow row{.columns = {}, .seconds = time.seconds, .is_probe = time.is_probe};
  for (size_t i = 0; i < pooled.units().size(); ++i) {
    if (pooled.units()[i].step->identity.is_layout_change()) continue;
    const std::vector<double>& columns = pooled.columns()[i].isolated;
    row.columns.resize(columns.size());
    for (size_t k = 0; k < columns.size(); ++k)
      row.columns[k] += columns[k] * static_cast<double>(pooled.units()[i].count);
  }
  if (row.columns.empty()) return Error{ErrorCode::kInvalidInput, "it runs nothing"};
  return row;
}

/// The times of `wanted` on the device that took `known` of its rows.
Result<std::vector<double>> fitted(const std::vector<KnownRow>& known,
                                   const std::vector<std::vector<double>>& wanted) {
  size_t labels = 0, columns = 0;
  for (const KnownRow& row : known) {
    labels += row.is_probe ? 0 : 1;
    columns = row.columns.size();
  }
  DevicePool pool{.times = DenseMatrix(labels + wanted.size(), columns),
                  .probes = DenseMatrix(known.size() - labels, columns)};
  FewShotDevice device;
  size_t unit = 0;
  for (const KnownRow& row : known) {
    DenseMatrix& matrix = row.is_probe ? pool.probes : pool.times;
    const size_t at = row.is_probe ? device.probes.size() : unit;
    for (size_t k = 0; k < columns; ++k) matrix.at(at, k) = row.columns[k];
    if (row.is_probe)
      device.probes.push_back(row.seconds);
    else
      device.labels.push_back({unit++, row.seconds});
  }
  for (size_t i = 0; i < wanted.size(); ++i)
    for (size_t k = 0; k < columns; ++k) pool.times.at(labels + i, k) = wanted[i][k];
  OPBENCH_TRY(const std::vector<double> times, predict_few_shot(pool, device));
  return std::vector<double>(times.begin() + static_cast<std::ptrdiff_t>(labels), times.end());
}

/// |log of predicted over measured| of every time that was left out of the fit, in order. Probes
/// count where there are few labels.
Result<std::vector<double>> left_out_errors(const std::vector<KnownRow>& known) {
  std::vector<double> errors;
  for (size_t i = 0; i < known.size(); ++i) {
    std::vector<KnownRow> others = known;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (others.empty()) continue;
    OPBENCH_TRY(const std::vector<double> time, fitted(others, {known[i].columns}));
    errors.push_back(std::abs(std::log(std::max(time[0], 1e-12) / known[i].seconds)));
  }
  std::ranges::sort(errors);
  return errors;
}

/// The factor that the interval reaches from the median (split conformal prediction); nothing where
/// so few errors promise no such level.
std::optional<double> reach_of(const std::vector<double>& errors, double level) {
  const auto width = IntervalScale(errors).half_width(level);
  return width ? std::optional(std::exp(*width)) : std::nullopt;
}

PredictedTime with_reach(double median_s, std::optional<double> reach) {
  constexpr double kUnknown = 2;
  const double factor = reach.value_or(kUnknown);
  return {.median_s = median_s,
          .low_s = median_s / factor,
          .high_s = median_s * factor,
          .is_assumed = !reach};
}

Result<std::vector<DeviceTime>> times_of(const DeviceRequest& request) {
  std::vector<DeviceTime> times;
  for (const std::filesystem::path& path : request.probes) {
    OPBENCH_TRY(std::vector<DeviceTime> probes, read_probes(path));
    std::ranges::move(probes, std::back_inserter(times));
  }
  for (const std::filesystem::path& path : request.labels) {
    OPBENCH_TRY(std::vector<DeviceTime> labels, read_labels(path));
    std::ranges::move(labels, std::back_inserter(times));
  }
  return times;
}

/// With what is wrong with the first times.
Error with_reasons(Error error, const std::vector<std::string>& left_out) {
  constexpr size_t kShown = 3;
  for (size_t i = 0; i < std::min(left_out.size(), kShown); ++i) {
    error.facts.push_back({"not used", left_out[i]});
  }
  return error;
}

}  // namespace

Result<DevicePrediction> predict_device(const DeviceRequest& request) {
  OPBENCH_TRY(const PlannedModel model, plan_here(request.model, request.pool.front()));
  DevicePrediction result{.model = model.name, .is_workload = model.is_workload};
  result.missing = model.missing;
  OPBENCH_TRY(const std::vector<DeviceTime> times, times_of(request));
  std::vector<KnownRow> known;
  for (const DeviceTime& time : times) {
    auto row = known_row(time, request);
    if (!row) {
      result.left_out.push_back(fmt::format("{}: {}", time.workload, row.error().message));
      continue;
    }
    (time.is_probe ? result.probes : result.labels) += 1;
    known.push_back(*std::move(row));
  }
  if (known.empty()) {
    return with_reasons(Error{ErrorCode::kInvalidInput,
                              fmt::format("no time of \"{}\" can be used", request.device)},
                        result.left_out)
        .with("help", "opbench env --probe --format json -o probe.json there makes some");
  }
  if (result.labels == 0 && !request.labels.empty()) {
    return with_reasons(Error{ErrorCode::kInvalidInput,
                              fmt::format("no label of \"{}\" can be used", request.device)},
                        result.left_out)
        .with("help",
              "opbench op WORKLOAD --record FILE there makes one; --probe alone needs none");
  }
  OPBENCH_TRY(const std::vector<double> errors, left_out_errors(known));
  if (!errors.empty()) result.typical_error = std::exp(errors[errors.size() / 2]) - 1;
  const std::optional<double> reach = reach_of(errors, request.level);
  const PooledUnits pooled(model, request.pool, request.level);
  std::vector<std::vector<double>> isolated, in_model;
  for (const Columns& columns : pooled.columns()) {
    isolated.push_back(columns.isolated);
    in_model.push_back(columns.in_model);
  }
  OPBENCH_TRY(const std::vector<double> alone, fitted(known, isolated));
  OPBENCH_TRY(const std::vector<double> inside, fitted(known, in_model));
  double sum_s = 0;
  for (size_t i = 0; i < pooled.units().size(); ++i) {
    PredictedRow row = row_of(pooled.units()[i]);
    row.time = pooled.here()[i];
    row.time.isolated = with_reach(alone[i], reach);
    row.time.in_model = with_reach(inside[i], reach);
    const bool is_around =
        model.is_workload && row.identity.nodes.empty();  // layouts around a workload
    if (!is_around)
      sum_s += (model.is_workload ? alone[i] : inside[i]) * static_cast<double>(row.count);
    if (!row.time.is_in_range) result.prediction.out_of_range += row.count;
    result.prediction.units.push_back(std::move(row));
  }
  result.prediction.total = with_reach(sum_s, reach);
  sort_by_time(result.prediction);
  return result;
}

}  // namespace opbench
