#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/tensors/tensor.h"

namespace Halide {
struct Expr;
class Func;
class Var;
}  // namespace Halide

namespace opbench {

/// The coordinates of element `flat` of a dense tensor of `extents` (innermost first).
std::vector<Halide::Expr> unflatten(const Halide::Expr& flat, const std::vector<int64_t>& extents);

/// The same for `shape` as ONNX writes it, outermost first; the result is innermost first.
std::vector<Halide::Expr> unflatten(const Halide::Expr& flat, const Shape& shape, size_t first,
                                    size_t last);

/// The same for extents that may be free.
std::vector<Halide::Expr> unflatten(const Halide::Expr& flat,
                                    const std::vector<Halide::Expr>& sizes, size_t first,
                                    size_t last);

/// Product of extents [first, last).
Halide::Expr product(const std::vector<Halide::Expr>& sizes, size_t first, size_t last);

/// Schedules a pure Func over dense data so that it runs at the speed of a copy: dimension 0 in
/// vectors, several a step; parallel over pieces of about 64 KiB when there is more than one.
/// `extents` of `vars`, innermost first; of free ones the least.
void schedule_stream(Halide::Func& func, const std::vector<Halide::Var>& vars,
                     const std::vector<int64_t>& extents, int lanes);

/// Vectors along `var`, whatever its extent: never writes outside, scalar where it is shorter than
/// a vector. `unroll` vectors a step when there are as many.
void vectorize_any(Halide::Func& func, const Halide::Var& var, int64_t extent, int lanes,
                   int unroll);

/// Runs the loops `outer` (inner to outer, with `extents`), inside each of which are `inner`
/// elements, as parallel tasks of at least 16384 elements; serial when that makes one task.
void parallelize(Halide::Func& func, std::vector<Halide::Var> outer,
                 const std::vector<int64_t>& extents, int64_t inner);

}  // namespace opbench
