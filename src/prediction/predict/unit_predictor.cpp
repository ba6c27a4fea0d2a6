#include "prediction/predict/unit_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "base/numbers/hash.h"

namespace opbench {
namespace {

/// Follow from others, or are no extents.
constexpr std::array<std::string_view, 5> kNotRanged = {"bound_ns", "memory_share", "intensity",
                                                        "kernel_flops_share", "tile_waste"};

/// Of features, which are logarithms to base 2: a fifth more or less is no other range.
constexpr float kRangeSlack = 0.3F;

/// Where no score promises the level: a factor of two.
constexpr double kUnitPredictorUnknownHalfWidth = std::numbers::ln2;

PredictedTime around(double median_s, std::optional<double> half_width) {
  const double width = half_width.value_or(kUnitPredictorUnknownHalfWidth);
  return {.median_s = median_s,
          .low_s = median_s * std::exp(-width),
          .high_s = median_s * std::exp(width),
          .is_assumed = !half_width};
}

std::optional<double> half_width(const IntervalScale& own, const IntervalScale& all, double level) {
  const auto width = own.half_width(level);
  return width ? width : all.half_width(level);
}

std::string outside_of(const KindCard& card, const UnitFeatures& features) {
  if (!card.schedules.contains(features.schedule)) {
    return fmt::format("schedule {} was never measured", features.schedule);
  }
  const auto& names = unit_feature_names();
  for (size_t i = 0; i < names.size(); ++i) {
    const auto range = card.ranges.find(names[i]);
    if (range == card.ranges.end() || std::ranges::count(kNotRanged, names[i]) > 0) continue;
    const auto [low, high] = range->second;
    const float value = features.values[i];
    if (value >= low - kRangeSlack && value <= high + kRangeSlack) continue;
    return fmt::format("{} is {}, measured were {} to {}", names[i], unit_feature_text(i, value),
                       unit_feature_text(i, low), unit_feature_text(i, high));
  }
  return "";
}

}  // namespace

std::string UnitPredictor::id() const {
  std::string text = fmt::format("{} {} {} {} {} {}", engine, threads, machine_hash, software_hash,
                                 schedule_version, timestamp);
  for (const std::string& record : record_ids) text += " " + record;
  constexpr size_t kDigits = 16;
  return sha256(text).substr(0, kDigits);
}

PredictedUnit predict_unit(const UnitPredictor& predictor, const UnitFeatures& features,
                           const ModelContext& context, double level) {
  const UnitTime time = predict_unit(predictor.forests, features, context);
  const auto found = predictor.kinds.find(features.kind);
  const KindCard& card = found == predictor.kinds.end() ? predictor.all : found->second;
  PredictedUnit unit;
  unit.isolated = around(time.isolated_s, half_width(card.isolated, predictor.all.isolated, level));
  unit.in_model = around(time.in_model_s, half_width(card.in_model, predictor.all.in_model, level));
  unit.why_not = found == predictor.kinds.end() ? fmt::format("no {} was measured", features.kind)
                                                : outside_of(card, features);
  unit.is_in_range = unit.why_not.empty();
  return unit;
}

PredictedTime predict_model(const UnitPredictor& predictor, double sum_s, int64_t units,
                            double level) {
  const ModelCard& card = predictor.models;
  return around(card.total_s(sum_s, units), half_width(card.scale, predictor.all.in_model, level));
}

}  // namespace opbench
