#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "experiments/compare/prepared_variant.h"

namespace opbench {

/// The same part of the model on several sides.
struct MatchedUnit {
  std::vector<std::optional<size_t>> units;  ///< index into each side's units; the base's is there
  std::vector<std::string> nodes;            ///< of all occurrences that these units share
  int64_t count = 1;
  std::vector<std::string> reasons;  ///< by side: why it has no such unit; empty where it has
};

/// The base's units with what computes the same nodes on the other sides. Where a side splits one
/// of the base's rows (other layouts or schedules for some occurrences), so does the result. Units
/// without nodes (layout conversions) match by their workload and shapes.
std::vector<MatchedUnit> match_units(const std::vector<const PreparedVariant*>& sides);

/// What must agree and does not: `model: "resnet-18" and "vgg-16"`. Batch sizes that differ by
/// request are no reason; of shapes the first extent is then left out.
std::vector<std::string> incomparable_fields(const PreparedVariant& base,
                                             const PreparedVariant& other);

/// What else differs between two sides, one line each: engine, versions, threads, target, build.
std::vector<std::string> differences_of(const PreparedVariant& base, const PreparedVariant& other);

}  // namespace opbench
