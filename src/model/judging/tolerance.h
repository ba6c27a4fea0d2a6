#pragma once

#include <functional>
#include <string>

#include "model/graph/graph.h"

namespace opbench {

/// max|a-b| / max|b| that results may have, by what they are made with.
struct Tolerances {
  double full = 1e-4;       ///< float32 and float64
  double half = 1e-2;       ///< where a value between is a 16-bit float
  double quantized = 1e-2;  ///< where a value between is quantized
  bool operator==(const Tolerances&) const = default;
};

/// How far a value may be from the expected one.
struct Tolerance {
  double relative = 0;  ///< of floats: max|a-b| / max|b|
  double rounding = 0;  ///< of floats: of one operation, relative to its operands
  int64_t steps = 0;    ///< of integers: |a-b|
  bool operator==(const Tolerance&) const = default;
};

/// What the value `name` of type `type` may have, computed from the known ones. Integers must be
/// equal, except those of 8 bits that follow from a quantizing node: rounding can take one step to
/// the other side. Floats that follow from one may have `quantized`, and those that follow from a
/// 16-bit float `half`.
Tolerance tolerance_of(const Graph& graph, const std::string& name, DataType type,
                       const std::function<bool(const std::string&)>& is_known,
                       const Tolerances& tolerances = {});

/// By how many steps the 8-bit value `name` may differ from the exact one. Rounding in the last
/// node can move it by one step. So can rounding in each quantizing node before: there, one step is
/// worth as many steps of the result as the ratio of the two scales says, or two where a scale is
/// no constant.
int64_t steps_from_exact(const Graph& graph, const std::string& name,
                         const std::function<bool(const std::string&)>& is_known);

}  // namespace opbench
