#include <halide14/Halide.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// The diagonal's number: 0 where the node has none; nothing where only the run tells it.
std::optional<int64_t> diagonal_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  if (node.inputs.size() < 2 || node.inputs[1].empty()) return 0;
  const auto known = spec.workload.graph.constants.find(node.inputs[1]);
  if (known == spec.workload.graph.constants.end()) return std::nullopt;
  const int64_t diagonal = integers(known->second).at(0);
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max() / 4;
  return std::clamp(diagonal, -kMost, kMost);
}

std::optional<Config> trilu_default_config(const KernelSpec& spec) {
  if (spec.workload.graph.nodes.size() != 1 || !takes_moving_anchor(spec, "Trilu"))
    return std::nullopt;
  const bool is_matrix = anchor_type(spec, 0).shape.size() >= 2;
  return is_plain(spec) && is_matrix && diagonal_of(spec) ? std::optional(Config{}) : std::nullopt;
}

Func build_trilu(const KernelSpec& spec, KernelBuilder& builder) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const size_t rank = shape.size();
  const int64_t columns = shape[rank - 1], rows = shape[rank - 2];
  const bool is_upper = int_attribute(anchor_of(spec), "upper", 1) != 0;
  const int64_t matrices = product(shape, 0, rank - 2);
  // Rows that fill no few vectors run on into each other.
  const bool is_flat = columns < int64_t{4} * builder.lanes();
  const Var x("x"), y("y"), n("n");
  const Expr column = is_flat ? x % narrow(columns) : Expr(x);
  const Expr row = is_flat ? x / narrow(columns) : Expr(y);
  std::vector<Expr> at(rank, Expr(0));
  at[0] = x + (y + n * (is_flat ? 1 : narrow(rows))) * narrow(is_flat ? rows * columns : columns);
  const Expr value = builder.operand(*input_index(spec.workload, 0, 0))(at);
  const Expr diagonal = column - row;
  const int first = narrow(*diagonal_of(spec));
  Func out("out");
  out(x, y, n) = Halide::select(is_upper ? diagonal >= first : diagonal <= first, value,
                                Halide::cast(value.type(), 0));
  const std::vector<int64_t> extents = is_flat ? std::vector<int64_t>{rows * columns, 1, matrices}
                                               : std::vector<int64_t>{columns, rows, matrices};
  builder.set_output_extents(extents);
  schedule_stream(out, {x, y, n}, extents, builder.lanes());
  return out;
}

}  // namespace

ScheduleDef trilu_schedule() {
  return {.name = "trilu",
          .summary = "the part of matrices above or below a diagonal",
          .default_config = trilu_default_config,
          .priority = 5,
          .pack = nullptr,
          .build = build_trilu};
}

}  // namespace opbench
