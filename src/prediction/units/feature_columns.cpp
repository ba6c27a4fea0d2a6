#include "prediction/units/feature_columns.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

constexpr std::string_view kKnobPrefix = "knob.";
constexpr std::string_view kSchedulePrefix = "schedule.";
constexpr std::string_view kKindPrefix = "kind.";

std::string prefixed(std::string_view prefix, const std::string& name) {
  return std::string(prefix) + name;
}

}  // namespace

ModelContext context_of(const std::vector<CountedUnit>& units, bool is_side_by_side) {
  constexpr double kNanoseconds = 1e9;
  double weights = 0;
  double bound_ns = 0;
  double count = 0;
  for (const CountedUnit& unit : units) {
    const auto times = static_cast<double>(unit.count);
    weights += unit.features->work.weight_bytes * times;
    bound_ns += unit.features->bound_s * kNanoseconds * times;
    count += times;
  }
  const auto log_of = [](double value) { return static_cast<float>(std::log2(1 + value)); };
  return {log_of(weights), log_of(bound_ns), log_of(count), is_side_by_side ? 1.0F : 0.0F};
}

Result<FeatureColumns::Column> FeatureColumns::column_of(const std::string& name) {
  const auto& values = unit_feature_names();
  if (const auto found = std::ranges::find(values, name); found != values.end()) {
    return Column{Source::kValue, static_cast<size_t>(found - values.begin()), {}};
  }
  const auto* const model = std::ranges::find(kModelFeatures, name);
  if (model != kModelFeatures.end()) {
    return Column{Source::kModel, static_cast<size_t>(model - kModelFeatures.begin()), {}};
  }
  const auto after = [&](std::string_view prefix) { return name.substr(prefix.size()); };
  if (name.starts_with(kKnobPrefix)) return Column{Source::kKnob, 0, after(kKnobPrefix)};
  if (name.starts_with(kSchedulePrefix)) {
    return Column{Source::kSchedule, 0, after(kSchedulePrefix)};
  }
  if (name.starts_with(kKindPrefix)) return Column{Source::kKind, 0, after(kKindPrefix)};
  return unknown_name("feature", name, values);
}

Result<FeatureColumns> FeatureColumns::named(std::vector<std::string> names) {
  FeatureColumns columns;
  for (const std::string& name : names) {
    OPBENCH_TRY(Column column, column_of(name));
    columns.columns_.push_back(std::move(column));
  }
  columns.names_ = std::move(names);
  return columns;
}

FeatureColumns FeatureColumns::of(std::span<const UnitSample* const> samples, bool has_kinds) {
  std::set<std::string> knobs, schedules, kinds;
  for (const UnitSample* sample : samples) {
    for (const auto& [name, value] : sample->features.knobs) knobs.insert(name);
    schedules.insert(sample->features.schedule);
    kinds.insert(sample->features.kind);
  }
  std::vector<std::string> names = unit_feature_names();
  names.insert(names.end(), kModelFeatures.begin(), kModelFeatures.end());
  for (const std::string& knob : knobs) names.push_back(prefixed(kKnobPrefix, knob));
  if (schedules.size() > 1) {
    for (const std::string& name : schedules) names.push_back(prefixed(kSchedulePrefix, name));
  }
  if (has_kinds) {
    for (const std::string& name : kinds) names.push_back(prefixed(kKindPrefix, name));
  }
  const FeatureColumns all = *named(std::move(names));
  // Columns that are the same everywhere tell nothing.
  std::vector<bool> differs(all.names_.size());
  std::vector<float> first;
  for (const UnitSample* sample : samples) {
    const std::vector<float> row = all.row(sample->features, sample->context);
    if (first.empty()) first = row;
    for (size_t i = 0; i < row.size(); ++i) differs[i] = differs[i] || row[i] != first[i];
  }
  std::vector<std::string> telling;
  for (size_t i = 0; i < differs.size(); ++i) {
    if (differs[i]) telling.push_back(all.names_[i]);
  }
  if (telling.empty()) telling.push_back(all.names_.front());
  return *named(std::move(telling));
}

std::vector<float> FeatureColumns::row(const UnitFeatures& features,
                                       const ModelContext& context) const {
  std::vector<float> row;
  row.reserve(columns_.size());
  for (const Column& column : columns_) {
    switch (column.source) {
      case Source::kValue:
        row.push_back(features.values[column.index]);
        break;
      case Source::kModel:
        row.push_back(context[column.index]);
        break;
      case Source::kKnob: {
        const auto knob = features.knobs.find(column.name);
        row.push_back(knob == features.knobs.end() ? 0.0F : knob->second);
        break;
      }
      case Source::kSchedule:
        row.push_back(features.schedule == column.name ? 1.0F : 0.0F);
        break;
      case Source::kKind:
        row.push_back(features.kind == column.name ? 1.0F : 0.0F);
        break;
    }
  }
  return row;
}

}  // namespace opbench
