#include <halide14/Halide.h>

#include <algorithm>
#include <optional>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// Longer sums are those of the reference, which adds in double.
constexpr int64_t kLongest = 4096;

/// The tensor as [outer, length, inner]: sums run along the middle.
struct CumSumRows {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

std::optional<CumSumRows> cum_sum_rows_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const Shape& shape = anchor_type(spec, 0).shape;
  const auto known = spec.workload.graph.constants.find(node.inputs[1]);
  if (known == spec.workload.graph.constants.end()) return std::nullopt;
  const int64_t axis = normal_axis(integers(known->second).at(0), shape.size());
  if (axis < 0) return std::nullopt;
  const auto at = static_cast<size_t>(axis);
  return CumSumRows{product(shape, 0, at), shape[at], product(shape, at + 1, shape.size())};
}

/// Lines of neighbours are left to the reference: each sum waits for the one before it. So are rows
/// of which much would be left beside the vectors.
std::optional<Config> cum_sum_default_config(const KernelSpec& spec) {
  if (spec.workload.graph.nodes.size() != 1 || !takes_anchor(spec, "CumSum")) return std::nullopt;
  if (!is_plain(spec)) return std::nullopt;
  const std::optional<CumSumRows> rows = cum_sum_rows_of(spec);
  const int lanes = float_lanes(spec.target);
  if (!rows || rows->length > kLongest) return std::nullopt;
  const bool is_wide = rows->inner >= 4 * lanes || rows->inner % lanes == 0;
  return is_wide ? std::optional(Config{}) : std::nullopt;
}

/// Row by row: each is the one before it and one of the input.
Func build_cum_sum(const KernelSpec& spec, KernelBuilder& builder) {
  const CumSumRows rows = cum_sum_rows_of(spec).value();
  const Node& node = anchor_of(spec);
  const bool is_reverse = int_attribute(node, "reverse", 0) != 0;
  const bool is_exclusive = int_attribute(node, "exclusive", 0) != 0;
  const int length = narrow(rows.length), inner = narrow(rows.inner);
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Var x("x"), row("row"), outer("outer");
  const auto place = [&](const Expr& i) { return is_reverse ? length - 1 - i : i; };
  const auto read = [&](const Expr& i) {
    std::vector<Expr> at(anchor_type(spec, 0).shape.size(), Expr(0));
    at[0] = x + (place(i) + outer * length) * inner;  // dimension 0 runs on over all elements
    return Expr(input(at));
  };
  Func out("out");
  out(x, row, outer) = Halide::undef<float>();
  out(x, place(0), outer) = is_exclusive ? Expr(0.0f) : read(0);
  const RDom r(1, std::max(length - 1, 1), "r");
  if (length > 1)
    out(x, place(r), outer) = out(x, place(r - 1), outer) + read(is_exclusive ? r - 1 : Expr(r));
  builder.set_output_extents({rows.inner, rows.length, rows.outer});
  for (int i = 0; i < out.num_update_definitions(); ++i) {
    Halide::Stage stage = out.update(i);
    if (i > 0) stage.reorder(x, r.x, outer);
    stage.vectorize(x, builder.lanes(), TailStrategy::GuardWithIf);
    if (rows.outer > 1) stage.parallel(outer);
  }
  return out;
}

}  // namespace

ScheduleDef cum_sum_schedule() {
  return {.name = "cum_sum",
          .summary = "running sums of rows, a vector of neighbours at a time",
          .default_config = cum_sum_default_config,
          .priority = 5,
          .pack = nullptr,
          .build = build_cum_sum};
}

}  // namespace opbench
