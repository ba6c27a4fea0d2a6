#include <halide14/Halide.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "base/numbers/divisors.h"
#include "kernels/schedules/expressions/exponential.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/free_axes.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/reduce_parts.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

std::optional<Config> reduce_default_config(const KernelSpec& spec) {
  return is_plain(spec) && is_reduction(spec) ? std::optional(Config{}) : std::nullopt;
}

/// What one kind of reduction does, and with how many elements.
struct ReduceReduction {
  std::string type;
  int64_t length = 1;  ///< elements of a result, the least where it is free
  Expr elements = {};  ///< the same, known to the kernel

  Expr identity() const { return identity_of_reduction(type); }
  Expr element(const Expr& x) const { return entering_reduction(type, x); }
  Expr combine(const Expr& a, const Expr& b) const { return joined_in_reduction(type, a, b); }
  Expr finish(const Expr& x) const { return finished_reduction(type, x, elements); }
};

/// The loops of a reduction: over `row`, the kept axes but an innermost one, which is `x`.
struct Reduced {
  const KernelSpec& spec;
  KernelBuilder& builder;
  std::vector<Expr> sizes;                          ///< of the input's dimensions
  std::vector<ReduceAxis> kept = {}, reduced = {};  ///< innermost first
  Var x = Var("x"), row = Var("row"), lane = Var("lane");
  int64_t rows = 1;

  bool is_along() const {
    return kept.empty() || (reduced[0].stride == 1 && reduced[0].extent >= builder.lanes());
  }
  int64_t inner() const { return is_along() ? 1 : kept[0].extent; }

  // What may be free.
  Expr size(const ReduceAxis& axis) const { return product(sizes, axis.first, axis.last); }
  Expr stride(const ReduceAxis& axis) const { return product(sizes, axis.last, sizes.size()); }
  bool is_free(const ReduceAxis& axis) const { return !Halide::Internal::is_const(size(axis)); }
  Expr inner_size() const { return is_along() ? Expr(1) : size(kept[0]); }
  /// Of the axes that `row` counts, outermost first.
  std::vector<Expr> row_sizes() const {
    std::vector<Expr> result;
    for (size_t i = kept.size(); i-- > (is_along() ? 0 : 1);) result.push_back(size(kept[i]));
    return result;
  }
  Expr row_count() const {
    const std::vector<Expr> all = row_sizes();
    return product(all, 0, all.size());
  }

  ReduceReduction reduction() const {
    ReduceReduction all{anchor_of(spec).type, 1, 1};
    for (const ReduceAxis& axis : reduced) {
      all.length *= axis.extent;
      all.elements = all.elements * size(axis);
    }
    return all;
  }

  /// The element at these positions of the reduced axes, of the result (x, row). Dimension 0 of
  /// the input runs on over all elements.
  Expr at(const std::vector<Expr>& positions) const {
    Expr offset = is_along() ? Expr(0) : x * stride(kept[0]);
    const std::vector<Expr> extents = row_sizes();
    const std::vector<Expr> place = unflatten(row, extents, 0, extents.size());
    for (size_t i = 0; i < place.size(); ++i)
      offset += place[i] * stride(kept[i + (is_along() ? 0 : 1)]);
    for (size_t i = 0; i < reduced.size(); ++i) offset += positions[i] * stride(reduced[i]);
    std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
    position[0] = offset;
    return builder.operand(*input_index(spec.workload, 0, 0))(position);
  }

  Expr result(const Expr& value) const {
    const std::vector<Expr> shape = builder.output_sizes();
    const Expr flat = is_along() ? Expr(row) : x + row * inner_size();
    return builder.epilogue(value, unflatten(flat, shape, 0, shape.size()));
  }
};

/// Every place of the reduced axes, the innermost in `count` pieces.
RDom domain_of(const Reduced& of, const Expr& count) {
  Halide::Region region = {Halide::Range(0, count)};
  for (size_t i = 1; i < of.reduced.size(); ++i) region.emplace_back(0, of.size(of.reduced[i]));
  return RDom(region);
}

std::vector<Expr> positions_in(const RDom& r, const Expr& innermost) {
  std::vector<Expr> positions = {innermost};
  for (int i = 1; i < r.dimensions(); ++i) positions.emplace_back(r[i]);
  return positions;
}

void order_update(Func& func, const Var& inner, const RDom& r) {
  std::vector<Halide::VarOrRVar> order = {inner};
  for (int i = 0; i < r.dimensions(); ++i) order.emplace_back(r[i]);
  func.update().reorder(order);
}

/// An element's value before it enters the reduction: log-sum-exp subtracts the largest first.
using Entering = std::function<Expr(const Expr&)>;

/// Vectors of reduced elements: a partial result for every lane, combined at the end.
Func along(const Reduced& of, const ReduceReduction& f, const Entering& enter,
           std::vector<Func>& scheduled) {
  const int lanes = of.builder.lanes();
  const int64_t least = of.reduced[0].extent;
  const Expr length = of.size(of.reduced[0]);
  const int width = least >= int64_t{8} * lanes ? 4 * lanes : lanes;
  const RDom r = domain_of(of, (length + width - 1) / width), all(0, width, "all");
  const Expr place = of.lane + r[0] * width;
  const bool is_even = !of.is_free(of.reduced[0]) && least % width == 0;
  Func partial("partial"), result("result");
  const Expr value =
      enter(of.at(positions_in(r, is_even ? place : Halide::min(place, length - 1))));
  partial(of.lane, of.row) = f.identity();
  partial(of.lane, of.row) = f.combine(
      partial(of.lane, of.row),
      is_even ? value : Halide::select(Halide::likely(place < length), value, f.identity()));
  result(of.row) = f.identity();
  result(of.row) = f.combine(result(of.row), partial(all, of.row));
  partial.vectorize(of.lane, lanes).unroll(of.lane);
  order_update(partial, of.lane, r);
  partial.update().vectorize(of.lane, lanes).unroll(of.lane);
  result.update().atomic().vectorize(all.x);
  scheduled.insert(scheduled.end(), {partial, result});
  return result;
}

Func reduce_along_rows(const Reduced& of) {
  const ReduceReduction f = of.reduction();
  const Var one("one"), column("column");
  std::vector<Func> scheduled;
  Expr value;
  if (f.type == "ReduceLogSumExp") {
    const Func top = along(
        of, {"ReduceMax", f.length}, [](const Expr& x) { return x; }, scheduled);
    const Expr finite = Halide::max(top(of.row), std::numeric_limits<float>::lowest());
    const Func sum = along(
        of, {"ReduceSum", f.length}, [&](const Expr& x) { return exp_of(x - finite); }, scheduled);
    value = Halide::log(sum(of.row)) + finite;
  } else {
    const Func all = along(
        of, f, [&](const Expr& x) { return f.element(x); }, scheduled);
    value = f.finish(all(of.row));
  }
  Func out("out");
  out(column, of.row) = of.result(value);
  of.builder.set_output_sizes({1, of.row_count()});
  out.bound(column, 0, 1);
  out.split(of.row, of.row, one, 1, TailStrategy::RoundUp).reorder(column, one, of.row);
  parallelize(out, {of.row}, {of.rows}, f.length);
  for (Func& func : scheduled) func.compute_at(out, one);
  return out;
}

/// At most 8 vectors, whole ones where `inner` holds one, in tiles that overlap little.
int reduce_tile_width(int64_t inner, int lanes) {
  if (inner < lanes) return narrow(inner);
  int64_t tiles = ceil_div(inner, int64_t{8} * lanes);
  while (ceil_div(ceil_div(inner, tiles), lanes) * lanes > inner) ++tiles;
  return narrow(ceil_div(ceil_div(inner, tiles), lanes) * lanes);
}

/// Vectors of results, a tile of them in registers.
Func reduce_across(const Reduced& of, const ReduceReduction& f, const Entering& enter, int width) {
  const int lanes = of.builder.lanes();
  const RDom r = domain_of(of, of.size(of.reduced[0]));
  Func result("result");
  result(of.x, of.row) = f.identity();
  result(of.x, of.row) = f.combine(result(of.x, of.row), enter(of.at(positions_in(r, Expr(r[0])))));
  vectorize_any(result, of.x, width, lanes, 1);
  order_update(result, of.x, r);
  if (width % lanes == 0) result.update().vectorize(of.x, lanes).unroll(of.x);
  return result;
}

Func across_rows(const Reduced& of) {
  const ReduceReduction f = of.reduction();
  const int lanes = of.builder.lanes();
  const int width = reduce_tile_width(of.inner(), lanes);
  const Var xo("xo"), xi("xi"), one("one");
  std::vector<Func> scheduled;
  Expr value;
  if (f.type == "ReduceLogSumExp") {
    const Func top = reduce_across(
        of, {"ReduceMax", f.length}, [](const Expr& x) { return x; }, width);
    const Expr finite = Halide::max(top(of.x, of.row), std::numeric_limits<float>::lowest());
    const Func sum = reduce_across(
        of, {"ReduceSum", f.length}, [&](const Expr& x) { return exp_of(x - finite); }, width);
    value = Halide::log(sum(of.x, of.row)) + finite;
    scheduled = {top, sum};
  } else {
    scheduled = {reduce_across(
        of, f, [&](const Expr& x) { return f.element(x); }, width)};
    value = f.finish(scheduled[0](of.x, of.row));
  }
  Func out("out");
  out(of.x, of.row) = of.result(value);
  of.builder.set_output_sizes({of.inner_size(), of.row_count()});
  out.split(of.x, xo, xi, width, TailStrategy::ShiftInwards)
      .split(xo, xo, one, 1, TailStrategy::RoundUp)
      .reorder(xi, one, xo, of.row);
  parallelize(out, {xo, of.row}, {ceil_div(of.inner(), width), of.rows}, width * f.length);
  vectorize_any(out, xi, width, lanes, 1);
  for (Func& func : scheduled) func.compute_at(out, one);
  return out;
}

Func build_reduce(const KernelSpec& spec, KernelBuilder& builder) {
  Reduced of{
      .spec = spec, .builder = builder, .sizes = builder.sizes(*input_index(spec.workload, 0, 0))};
  const std::vector<ReduceAxis> axes = merged_axes(spec).value();
  for (const ReduceAxis& axis : axes) (axis.is_reduced ? of.reduced : of.kept).push_back(axis);
  for (const ReduceAxis& axis : of.kept) of.rows *= axis.extent;
  of.rows /= of.inner();
  return of.is_along() ? reduce_along_rows(of) : across_rows(of);
}

}  // namespace

ScheduleDef reduce_schedule() {
  return {.name = "reduce",
          .summary = "Sums, means, extremes, products, norms and their logarithms along any axes",
          .default_config = reduce_default_config,
          .takes_free = are_free_axes_read,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .build = build_reduce};
}

}  // namespace opbench
