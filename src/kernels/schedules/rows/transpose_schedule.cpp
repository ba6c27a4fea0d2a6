#include <halide14/Halide.h>

#include <algorithm>
#include <string>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/free_axes.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/permutation.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

constexpr int kLeastSide = 4;

/// The output's dimensions, innermost first, neighbours merged that are neighbours in the input
/// too, and the input's stride along each.
template <class Extent>
struct Transposition {
  std::vector<Extent> extents;
  std::vector<Extent> strides;
};

/// `sizes`: the input's extents, which may be free.
template <class Extent>
Transposition<Extent> transposition_of(const KernelSpec& spec, const std::vector<Extent>& sizes) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const std::vector<int64_t> perm = permutation_of(spec);
  Transposition<Extent> found;
  size_t next = shape.size();  // the axis before which one can be merged
  for (size_t i = perm.size(); i-- > 0;) {
    const auto from = static_cast<size_t>(perm[i]);
    if (shape[from] == 1) continue;
    const bool is_next = from < next && next < shape.size() && product(shape, from + 1, next) == 1;
    next = from;
    if (is_next) {
      found.extents.back() = found.extents.back() * sizes[from];
    } else {
      found.extents.push_back(sizes[from]);
      found.strides.push_back(product(sizes, from + 1, sizes.size()));
    }
  }
  if (found.extents.empty()) return {{Extent(1)}, {Extent(1)}};
  return found;
}

std::optional<Config> transpose_default_config(const KernelSpec& spec) {
  return is_plain(spec) && is_transposition(spec) ? std::optional(Config{}) : std::nullopt;
}

/// The side of the squares: lanes, fewer where an extent is shorter.
int side_of_squares(int64_t shortest, int lanes) {
  while (lanes > shortest) lanes /= 2;
  return lanes;
}

/// Squares of side x side elements: read along the input's innermost dimension (`across` in the
/// output), turned in memory of their own, written along the output's.
void schedule_squares(Func& out, Func& square, const std::vector<Var>& vars,
                      const std::vector<int64_t>& extents, size_t across, int side) {
  const Var inner("inner"), column("column"), at("at");
  const Var &x = vars[0], &y = vars[across];
  out.split(x, x, inner, side, TailStrategy::ShiftInwards)
      .split(y, y, column, side, TailStrategy::ShiftInwards)
      .split(x, x, at, 1, TailStrategy::RoundUp);
  std::vector<Halide::VarOrRVar> order = {inner, column, at, x, y};
  std::vector<Var> outer = {x, y};
  std::vector<int64_t> counts = {ceil_div(extents[0], side), ceil_div(extents[across], side)};
  for (size_t i = 1; i < vars.size(); ++i) {
    if (i == across) continue;
    order.emplace_back(vars[i]);
    outer.push_back(vars[i]);
    counts.push_back(extents[i]);
  }
  out.reorder(order).vectorize(inner).unroll(column);
  parallelize(out, outer, counts, int64_t{side} * side);
  square.compute_at(out, at).reorder(y, x).vectorize(y).unroll(x);
}

/// Few elements of the output's innermost dimension, as the channels of an image: they are put
/// together from a vector each of the input's neighbours, and written side by side.
void schedule_interleaved(Func& out, const std::vector<Var>& vars,
                          const std::vector<int64_t>& extents, size_t across, int lanes) {
  const Var inner("inner");
  const Var &x = vars[0], &y = vars[across];
  out.split(y, y, inner, lanes, TailStrategy::ShiftInwards);
  std::vector<Halide::VarOrRVar> order = {x, inner, y};
  std::vector<Var> outer = {y};
  std::vector<int64_t> counts = {ceil_div(extents[across], lanes)};
  for (size_t i = 1; i < vars.size(); ++i) {
    if (i == across) continue;
    order.emplace_back(vars[i]);
    outer.push_back(vars[i]);
    counts.push_back(extents[i]);
  }
  out.bound(x, 0, narrow(extents[0])).reorder(order).unroll(x).vectorize(inner);
  parallelize(out, outer, counts, extents[0] * lanes);
}

Func build_transpose(const KernelSpec& spec, KernelBuilder& builder) {
  const auto [extents, strides] = transposition_of<int64_t>(spec, anchor_type(spec, 0).shape);
  const size_t operand = *input_index(spec.workload, 0, 0);
  const Transposition<Expr> free = transposition_of<Expr>(spec, builder.sizes(operand));
  const int lanes = builder.lanes();
  const Halide::Func input = builder.operand(operand);
  std::vector<Var> vars;
  Expr offset = 0;
  for (size_t i = 0; i < extents.size(); ++i) {
    vars.emplace_back("d" + std::to_string(i));
    offset = offset + vars[i] * free.strides[i];
  }
  std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
  if (!position.empty()) position[0] = offset;  // dimension 0 runs on over all elements
  Func square("square"), out("out");
  square(vars) = input(position);
  out(vars) = square(std::vector<Expr>(vars.begin(), vars.end()));
  builder.set_output_sizes(free.extents);
  const auto across = static_cast<size_t>(std::ranges::find(strides, 1) - strides.begin());
  const bool turns = across > 0 && across < extents.size();
  const int side = turns ? side_of_squares(std::min(extents[0], extents[across]), lanes) : 1;
  const bool is_known = Halide::Internal::is_const(free.extents[0]);
  if (turns && is_known && extents[0] < kLeastSide && extents[across] >= lanes)
    schedule_interleaved(out, vars, extents, across, lanes);
  else if (side >= kLeastSide)
    schedule_squares(out, square, vars, extents, across, side);
  else
    schedule_stream(out, vars, extents, lanes);
  return out;
}

}  // namespace

ScheduleDef transpose_schedule() {
  return {.name = "transpose",
          .summary = "dimensions in another order, by squares where rows become columns",
          .default_config = transpose_default_config,
          .takes_free = are_free_axes_read,
          .priority = 5,
          .pack = nullptr,
          .build = build_transpose};
}

}  // namespace opbench
