#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "prediction/workloads/unit_features.h"

namespace opbench {

/// A unit of a model, so many times.
struct CountedUnit {
  const UnitFeatures* features = nullptr;
  int64_t count = 1;
  std::optional<int64_t> weight_sets;  ///< different weights among these; nothing: each has its own
};

/// Names of what is known of the model around a unit.
constexpr std::array<const char*, 5> kModelFeatures = {
    "model.weight_bytes", "model.bytes", "model.bound_ns", "model.units", "model.is_side_by_side"};

/// What is around a unit that runs inside a model.
struct ModelContext {
  /// By kModelFeatures: logarithms to base 2 of sums over the model's units; 1 where it is no model
  /// but units side by side, which find their operands colder.
  std::array<float, kModelFeatures.size()> values = {};
  /// To read a weight, after all other units of the model have run.
  double weight_s_per_byte = 0;
};

ModelContext context_of(const std::vector<CountedUnit>& units, const Ceilings& ceilings,
                        int threads, bool is_side_by_side = false);

/// Seconds longer that a unit takes to read its weights inside the model than alone.
double cold_weights_s(const UnitFeatures& features, const ModelContext& context);

}  // namespace opbench
