#include <halide14/Halide.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "base/numbers/divisors.h"
#include "kernels/schedules/anchor_check.h"
#include "kernels/schedules/free_axes.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// The tensor as [rows, length, inner], reduced along the middle.
struct Extents {
  int64_t rows = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

const std::set<std::string> kTypes = {"ReduceMax", "ReduceMean",      "ReduceMin",
                                      "ReduceSum", "ReduceSumSquare", "ReduceL2"};

/// Axes in an attribute, or in a constant operand; nothing where they are an operand of the run.
std::optional<std::vector<int64_t>> axes_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  if (node.inputs.size() < 2 || node.inputs[1].empty()) return ints_attribute(node, "axes", {});
  const auto constant = spec.workload.graph.constants.find(node.inputs[1]);
  if (constant == spec.workload.graph.constants.end()) return std::nullopt;
  return integers(constant->second);
}

/// The first reduced axis and the first after the last one; nothing where they do not lie side by
/// side.
std::optional<std::pair<size_t, size_t>> reduced_axes(const KernelSpec& spec) {
  const size_t rank = anchor_type(spec, 0).shape.size();
  const auto axes = axes_of(spec);
  if (!axes || axes->empty()) return std::nullopt;
  std::set<int64_t> places;
  for (const int64_t axis : *axes) places.insert(normal_axis(axis, rank));
  const int64_t first = *places.begin();
  const int64_t last = *places.rbegin();
  const bool is_whole = last - first + 1 == std::ssize(places);
  if (first < 0 || !is_whole) return std::nullopt;
  return std::pair{static_cast<size_t>(first), static_cast<size_t>(last) + 1};
}

std::optional<Extents> extents_of(const KernelSpec& spec) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const auto axes = reduced_axes(spec);
  if (!axes) return std::nullopt;
  const auto [begin, end] = *axes;
  return Extents{.rows = product(shape, 0, begin),
                 .length = product(shape, begin, end),
                 .inner = product(shape, end, shape.size())};
}

std::optional<Config> by_rule(const KernelSpec& spec) {
  const std::string& type = anchor_of(spec).type;
  if (!kTypes.contains(type) || !takes_anchor(spec, type) || !is_plain(spec)) return std::nullopt;
  const std::optional<Extents> extents = extents_of(spec);
  if (!extents || extents->rows * extents->length * extents->inner == 0) return std::nullopt;
  return Config{};
}

/// What one kind of reduction does with an element, with two partial results, and at the end.
struct Reduction {
  std::string type;
  Expr length;

  Expr identity() const {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    if (type == "ReduceMax") return -kInfinity;
    return type == "ReduceMin" ? Expr(kInfinity) : Expr(0.0f);
  }
  Expr element(const Expr& x) const {
    return type == "ReduceSumSquare" || type == "ReduceL2" ? x * x : x;
  }
  Expr combine(const Expr& a, const Expr& b) const {
    if (type == "ReduceMax") return Halide::max(a, b);
    return type == "ReduceMin" ? Halide::min(a, b) : a + b;
  }
  Expr finish(const Expr& x) const {
    if (type == "ReduceMean") return x / Halide::cast<float>(length);
    return type == "ReduceL2" ? Halide::sqrt(x) : x;
  }
};

/// The same as Extents, free ones included.
struct Sizes {
  Expr rows;
  Expr length;
  Expr inner;
};

struct Reduced {
  const KernelSpec& spec;
  Extents extents;  ///< of free ones the least
  Sizes sizes;
  std::vector<Expr> result;  ///< the output's extents
  Reduction reduction;
  Func input;

  /// Dimension 0 of the input runs on over all elements.
  Expr at(const Expr& offset) const {
    std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
    position[0] = offset;
    return reduction.element(input(position));
  }
  std::vector<Expr> position(const Expr& offset) const {
    return unflatten(offset, result, 0, result.size());
  }
};

/// Rows lie in memory one after the other: a partial result for every lane, combined at the end.
Func along_rows(const Reduced& reduced, KernelBuilder& builder) {
  const int lanes = builder.lanes();
  const Expr& length = reduced.sizes.length;
  const Var row("row"), lane("lane"), column("column");
  Func partial("partial"), result("result"), out("out");
  const RDom chunk(0, length / lanes, "chunk"), all(0, lanes, "all");
  const RDom rest(length / lanes * lanes, length % lanes, "rest");
  const Reduction& f = reduced.reduction;
  partial(lane, row) = f.identity();
  partial(lane, row) =
      f.combine(partial(lane, row), reduced.at(lane + chunk * lanes + row * length));
  result(row) = f.identity();
  result(row) = f.combine(result(row), partial(all, row));
  result(row) = f.combine(result(row), reduced.at(rest + row * length));
  out(column, row) = builder.epilogue(f.finish(result(row)), reduced.position(row));
  builder.set_output_sizes({1, reduced.sizes.rows});
  out.bound(column, 0, 1);
  const Var one("one");
  out.split(row, row, one, 1, TailStrategy::RoundUp).reorder(column, one, row);
  parallelize(out, {row}, {reduced.extents.rows}, reduced.extents.length);
  result.compute_at(out, one);
  partial.compute_at(out, one).vectorize(lane, lanes);
  partial.update().reorder(lane, chunk.x).vectorize(lane, lanes);
  return out;
}

/// At most 8 vectors, whole ones where `inner` holds one, in tiles that overlap little.
int tile_width(int64_t inner, int lanes) {
  if (inner < lanes) return narrow(inner);
  int64_t tiles = ceil_div(inner, int64_t{8} * lanes);
  while (ceil_div(ceil_div(inner, tiles), lanes) * lanes > inner) ++tiles;
  return narrow(ceil_div(ceil_div(inner, tiles), lanes) * lanes);
}

/// Another axis: elements of `inner` are independent and lie beside each other.
Func across(const Reduced& reduced, KernelBuilder& builder) {
  const auto& [rows, length, inner] = reduced.extents;
  const Sizes& sizes = reduced.sizes;
  const Var x("x"), row("row"), xo("xo"), xi("xi");
  Func result("result"), out("out");
  const RDom r(0, sizes.length, "r");
  const Reduction& f = reduced.reduction;
  result(x, row) = f.identity();
  result(x, row) = f.combine(result(x, row),
                             reduced.at(x + r * sizes.inner + row * (sizes.inner * sizes.length)));
  out(x, row) = builder.epilogue(f.finish(result(x, row)), reduced.position(x + row * sizes.inner));
  builder.set_output_sizes({sizes.inner, sizes.rows});
  const int lanes = builder.lanes();
  const int width = tile_width(inner, lanes);
  const Var one("one");
  out.split(x, xo, xi, width, TailStrategy::ShiftInwards)
      .split(xo, xo, one, 1, TailStrategy::RoundUp)
      .reorder(xi, one, xo, row);
  parallelize(out, {xo, row}, {ceil_div(inner, width), rows}, width * length);
  vectorize_any(out, xi, width, lanes, 1);
  result.compute_at(out, one);
  vectorize_any(result, x, width, lanes, 1);
  result.update().reorder(x, r.x);
  if (width % lanes == 0) result.update().vectorize(x, lanes).unroll(x);
  return out;
}

Func build(const KernelSpec& spec, KernelBuilder& builder) {
  const Extents extents = extents_of(spec).value();
  const auto [begin, end] = reduced_axes(spec).value();
  const size_t input = *input_index(spec.workload, 0, 0);
  const std::vector<Expr> shape = builder.sizes(input);
  const Sizes sizes{product(shape, 0, begin), product(shape, begin, end),
                    product(shape, end, shape.size())};
  const Reduced reduced{.spec = spec,
                        .extents = extents,
                        .sizes = sizes,
                        .result = builder.output_sizes(),
                        .reduction = {anchor_of(spec).type, sizes.length},
                        .input = builder.operand(input)};
  const bool has_vectors = extents.length >= builder.lanes();
  return extents.inner == 1 && has_vectors ? along_rows(reduced, builder)
                                           : across(reduced, builder);
}

}  // namespace

ScheduleDef reduce_schedule() {
  return {.name = "reduce",
          .summary = "Sums, means, extremes and L2 norms along neighbouring axes",
          .by_rule = by_rule,
          .takes_free = are_free_axes_read,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .build = build};
}

}  // namespace opbench
