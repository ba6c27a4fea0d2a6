#include <halide14/Halide.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "base/numbers/divisors.h"
#include "kernels/schedules/anchor_check.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Tuple;
using Halide::Var;

/// Vectors of results that are kept in registers: a value and a place each.
constexpr int kMostVectors = 4;

/// Vectors of a row that are looked at together.
constexpr int kRowVectors = 4;

/// The tensor as [outer, length, inner]: the place is one along the middle.
struct Columns {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

Columns columns_of(const KernelSpec& spec) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const int64_t axis = normal_axis(int_attribute(anchor_of(spec), "axis", 0), shape.size());
  const auto at = static_cast<size_t>(std::max<int64_t>(axis, 0));
  return {product(shape, 0, at), shape[at], product(shape, at + 1, shape.size())};
}

/// Short rows, and columns of few neighbours, are left to the reference.
std::optional<Config> by_rule(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const bool is_known = node.domain.empty() && (node.type == "ArgMax" || node.type == "ArgMin");
  if (!is_known || spec.workload.graph.nodes.size() != 1) return std::nullopt;
  if (!input_index(spec.workload, 0, 0) || !is_plain(spec)) return std::nullopt;
  const TensorType& type = anchor_type(spec, 0);
  constexpr int64_t kMostElements = std::numeric_limits<int32_t>::max() / 8;
  const bool is_usable = type.data_type == DataType::kFloat32 && !type.shape.empty() &&
                         type.size() > 0 && type.size() <= kMostElements;
  if (!is_usable) return std::nullopt;
  const Columns columns = columns_of(spec);
  const int lanes = float_lanes(spec.target);
  const bool is_row = columns.inner == 1 && columns.length >= kRowVectors * lanes;
  return is_row || columns.inner >= lanes ? std::optional(Config{}) : std::nullopt;
}

/// Which of two values is better, and of equal ones which place.
struct Order {
  bool is_max = false;
  bool takes_last = false;

  explicit Order(const Node& node)
      : is_max(node.type == "ArgMax"),
        takes_last(int_attribute(node, "select_last_index", 0) != 0) {}

  /// Of a value that comes later.
  Expr is_better(const Expr& value, const Expr& top) const {
    // Not strict_float: with it Halide 14 stores the value before it chooses the place.
    const Expr better = is_max ? top < value : value < top;
    return takes_last ? better || value == top : better;
  }
  /// At any places.
  Expr is_better(const Expr& value, const Expr& place, const Expr& top, const Expr& at) const {
    const Expr better = is_max ? top < value : value < top;
    return better || (value == top && (takes_last ? place > at : place < at));
  }
};

/// Reads the tensor, [inner, length, outer], at an element as it lies in memory.
using Read = std::function<Expr(const Expr& offset)>;

/// The value that is best so far and where it is, for a tile of neighbouring columns.
Func best_of_columns(const Order& order, const Columns& columns, const Read& read, const Var& x,
                     const Var& outer, const RDom& r) {
  const int inner = narrow(columns.inner), length = narrow(columns.length);
  const auto at = [&](const Expr& row) { return read(x + (row + outer * length) * inner); };
  Func best("best");
  best(x, outer) = Tuple(at(0), Expr(0));
  const Expr value = at(r), is_better = order.is_better(value, best(x, outer)[0]);
  best(x, outer) = Tuple(Halide::select(is_better, value, best(x, outer)[0]),
                         Halide::select(is_better, Expr(r), best(x, outer)[1]));
  return best;
}

/// A value and its place for every lane of a few vectors, which are compared at the end. The last
/// vectors end with the row.
Func rows(const Order& order, const Columns& columns, const Read& read, KernelBuilder& builder) {
  const int lanes = builder.lanes(), width = kRowVectors * lanes;
  const int length = narrow(columns.length);
  const Var lane("lane"), row("row"), x("x"), one("one");
  const RDom chunk(1, std::max((length + width - 1) / width - 1, 1), "chunk"),
      all(1, width - 1, "all");
  Func best("best"), top("top"), out("out");
  best(lane, row) = Tuple(read(lane + row * length), Expr(lane));
  const Expr place = Halide::min(chunk * width, length - width) + lane;
  const Expr value = read(place + row * length);
  const Expr is_better = order.is_better(value, best(lane, row)[0]);
  best(lane, row) = Tuple(Halide::select(is_better, value, best(lane, row)[0]),
                          Halide::select(is_better, place, best(lane, row)[1]));
  top(row) = Tuple(best(0, row)[0], best(0, row)[1]);
  const Expr is_first =
      order.is_better(best(all, row)[0], best(all, row)[1], top(row)[0], top(row)[1]);
  top(row) = Tuple(Halide::select(is_first, best(all, row)[0], top(row)[0]),
                   Halide::select(is_first, best(all, row)[1], top(row)[1]));
  out(x, row) = Halide::cast<int64_t>(top(row)[1]);
  builder.set_output_extents({1, columns.outer});
  out.bound(x, 0, 1).split(row, row, one, 1, TailStrategy::RoundUp).reorder(x, one, row);
  parallelize(out, {row}, {columns.outer}, columns.length);
  top.compute_at(out, one);
  best.compute_at(out, one).bound_extent(lane, width).vectorize(lane, lanes).unroll(lane);
  best.update().reorder(lane, chunk.x).vectorize(lane, lanes).unroll(lane);
  return out;
}

Func columns(const Order& order, const Columns& columns, const Read& read, KernelBuilder& builder) {
  const int lanes = builder.lanes();
  const Var x("x"), xo("xo"), xi("xi"), one("one"), outer("outer");
  const RDom r(1, narrow(std::max<int64_t>(columns.length - 1, 1)), "r");
  Func out("out");
  builder.set_output_extents({columns.inner, columns.outer});
  if (columns.length == 1) {
    out(x, outer) = Halide::cast<int64_t>(0);
    out.vectorize(x, lanes, TailStrategy::ShiftInwards);
    return out;
  }
  Func best = best_of_columns(order, columns, read, x, outer, r);
  out(x, outer) = Halide::cast<int64_t>(best(x, outer)[1]);
  const int64_t vectors = std::clamp<int64_t>(columns.inner / lanes, 1, kMostVectors);
  const int width = narrow(vectors * lanes);
  out.split(x, xo, xi, width, TailStrategy::ShiftInwards)
      .split(xo, xo, one, 1, TailStrategy::RoundUp)
      .reorder(xi, one, xo, outer)
      .vectorize(xi, lanes)
      .unroll(xi);
  parallelize(out, {xo, outer}, {ceil_div(columns.inner, int64_t{width}), columns.outer},
              width * columns.length);
  best.compute_at(out, one).vectorize(x, lanes).unroll(x);
  best.update().reorder(x, r.x).vectorize(x, lanes).unroll(x);
  return out;
}

Func build(const KernelSpec& spec, KernelBuilder& builder) {
  const Columns extents = columns_of(spec);
  const Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const size_t rank = anchor_type(spec, 0).shape.size();
  const Read read = [&](const Expr& offset) {
    std::vector<Expr> at(rank, Expr(0));
    at[0] = offset;  // dimension 0 runs on over all elements
    return Expr(input(at));
  };
  const Order order(anchor_of(spec));
  return extents.inner == 1 ? rows(order, extents, read, builder)
                            : columns(order, extents, read, builder);
}

}  // namespace

ScheduleDef arg_extreme_schedule() {
  return {.name = "arg_extreme",
          .summary = "where the largest or smallest of columns and long rows is, by vectors",
          .by_rule = by_rule,
          .priority = 5,
          .pack = nullptr,
          .build = build};
}

}  // namespace opbench
