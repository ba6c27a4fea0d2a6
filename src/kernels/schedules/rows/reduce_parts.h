#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
struct Expr;
}  // namespace Halide

namespace opbench {

/// Neighbouring dimensions that are all kept or all reduced, as one.
struct ReduceAxis {
  int64_t extent = 1;  ///< the least, where it is free
  int64_t stride = 1;
  bool is_reduced = false;
  size_t first = 0, last = 0;  ///< the input's dimensions [first, last)
};

/// Those of the anchor, one of ONNX' Reduce operators, innermost first. Nothing where nothing is
/// reduced, or the axes are not known.
std::optional<std::vector<ReduceAxis>> merged_axes(const KernelSpec& spec);

/// True for a unit that begins with one of ONNX' Reduce operators along known axes.
bool is_reduction(const KernelSpec& spec);

/// What changes no partial result of the reduction `type` ("ReduceSum"), an element as it enters,
/// two partial results as one, and the result of so many elements. A ReduceLogSumExp is made of two
/// others.
Halide::Expr identity_of_reduction(const std::string& type);
Halide::Expr entering_reduction(const std::string& type, const Halide::Expr& x);
Halide::Expr joined_in_reduction(const std::string& type, const Halide::Expr& a,
                                 const Halide::Expr& b);
Halide::Expr finished_reduction(const std::string& type, const Halide::Expr& x,
                                const Halide::Expr& elements);

}  // namespace opbench
