#include "prediction/predict/feature_columns.h"

#include <algorithm>
#include <set>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

constexpr std::string_view kColdWeights = "cold_weights_share";
constexpr std::string_view kKnobPrefix = "knob.";
constexpr std::string_view kSchedulePrefix = "schedule.";
constexpr std::string_view kKindPrefix = "kind.";

std::string prefixed(std::string_view prefix, const std::string& name) {
  return std::string(prefix) + name;
}

}  // namespace

Result<FeatureColumns::Column> FeatureColumns::column_of(const std::string& name) {
  const auto& values = unit_feature_names();
  if (const auto found = std::ranges::find(values, name); found != values.end()) {
    return Column{Source::kValue, static_cast<size_t>(found - values.begin()), {}};
  }
  const auto* const model = std::ranges::find(kModelFeatures, name);
  if (model != kModelFeatures.end()) {
    return Column{Source::kModel, static_cast<size_t>(model - kModelFeatures.begin()), {}};
  }
  if (name == kColdWeights) return Column{Source::kColdWeights, 0, {}};
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
  names.emplace_back(kColdWeights);
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
  std::vector<std::string> varying;
  for (size_t i = 0; i < differs.size(); ++i) {
    if (differs[i]) varying.push_back(all.names_[i]);
  }
  if (varying.empty()) varying.push_back(all.names_.front());
  return *named(std::move(varying));
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
        row.push_back(context.values[column.index]);
        break;
      case Source::kColdWeights: {
        const double cold_s = cold_weights_s(features, context);
        row.push_back(static_cast<float>(cold_s / (cold_s + features.bound_s)));
        break;
      }
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
