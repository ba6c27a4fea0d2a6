#include <halide14/Halide.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/row_extreme.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Tuple;
using Halide::Var;
using Order = ExtremeOrder;

/// Vectors of results that are kept in registers: a value and a place each.
constexpr int kArgExtremeMostVectors = 4;

/// The tensor as [outer, length, inner]: the place is one along the middle.
struct ArgExtremeColumns {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

ArgExtremeColumns columns_of(const KernelSpec& spec) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const int64_t axis = normal_axis(int_attribute(anchor_of(spec), "axis", 0), shape.size());
  const auto at = static_cast<size_t>(std::max<int64_t>(axis, 0));
  return {product(shape, 0, at), shape[at], product(shape, at + 1, shape.size())};
}

/// Short rows, and columns of few neighbours, are left to the reference.
std::optional<Config> arg_extreme_default_config(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const bool is_known = node.domain.empty() && (node.type == "ArgMax" || node.type == "ArgMin");
  if (!is_known || spec.workload.graph.nodes.size() != 1) return std::nullopt;
  if (!input_index(spec.workload, 0, 0) || !is_plain(spec)) return std::nullopt;
  const TensorType& type = anchor_type(spec, 0);
  constexpr int64_t kMostElements = std::numeric_limits<int32_t>::max() / 8;
  const bool is_usable = type.data_type == DataType::kFloat32 && !type.shape.empty() &&
                         type.size() > 0 && type.size() <= kMostElements;
  if (!is_usable) return std::nullopt;
  const ArgExtremeColumns columns = columns_of(spec);
  const int lanes = float_lanes(spec.target);
  const bool is_row = columns.inner == 1 && columns.length >= RowExtreme::least_length(lanes);
  return is_row || columns.inner >= lanes ? std::optional(Config{}) : std::nullopt;
}

/// Reads the tensor, [inner, length, outer], at an element as it lies in memory.
using Read = std::function<Expr(const Expr& offset)>;

/// The value that is best so far and where it is, for a tile of neighbouring columns.
Func best_of_columns(const Order& order, const ArgExtremeColumns& columns, const Read& read,
                     const Var& x, const Var& outer, const RDom& r) {
  const int inner = narrow(columns.inner), length = narrow(columns.length);
  const auto at = [&](const Expr& row) { return read(x + (row + outer * length) * inner); };
  Func best("best");
  best(x, outer) = Tuple(at(0), Expr(0));
  const Expr value = at(r), is_better = order.is_later_better(value, best(x, outer)[0]);
  best(x, outer) = Tuple(Halide::select(is_better, value, best(x, outer)[0]),
                         Halide::select(is_better, Expr(r), best(x, outer)[1]));
  return best;
}

Func rows(const Order& order, const ArgExtremeColumns& columns, const Read& read,
          KernelBuilder& builder) {
  const int length = narrow(columns.length);
  const Var row("row"), x("x"), one("one");
  Func out("out");
  RowExtreme extreme(
      order, length, builder.lanes(), [&](const Expr& place) { return read(place + row * length); },
      row);
  out(x, row) = Halide::cast<int64_t>(extreme.place());
  builder.set_output_extents({1, columns.outer});
  out.bound(x, 0, 1).split(row, row, one, 1, TailStrategy::RoundUp).reorder(x, one, row);
  parallelize(out, {row}, {columns.outer}, columns.length);
  extreme.compute_at(out, one);
  return out;
}

Func columns(const Order& order, const ArgExtremeColumns& columns, const Read& read,
             KernelBuilder& builder) {
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
  const int64_t vectors = std::clamp<int64_t>(columns.inner / lanes, 1, kArgExtremeMostVectors);
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

Func build_arg_extreme(const KernelSpec& spec, KernelBuilder& builder) {
  const ArgExtremeColumns extents = columns_of(spec);
  const Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const size_t rank = anchor_type(spec, 0).shape.size();
  const Read read = [&](const Expr& offset) {
    std::vector<Expr> at(rank, Expr(0));
    at[0] = offset;  // dimension 0 runs on over all elements
    return Expr(input(at));
  };
  const Node& node = anchor_of(spec);
  const Order order{.is_max = node.type == "ArgMax",
                    .takes_last = int_attribute(node, "select_last_index", 0) != 0};
  return extents.inner == 1 ? rows(order, extents, read, builder)
                            : columns(order, extents, read, builder);
}

}  // namespace

ScheduleDef arg_extreme_schedule() {
  return {.name = "arg_extreme",
          .summary = "where the largest or smallest of columns and long rows is, by vectors",
          .default_config = arg_extreme_default_config,
          .priority = 5,
          .pack = nullptr,
          .build = build_arg_extreme};
}

}  // namespace opbench
