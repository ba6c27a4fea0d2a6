#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/anchor_check.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

constexpr size_t kMostParts = 64;

size_t axis_of(const KernelSpec& spec) {
  const size_t rank = anchor_type(spec, 0).shape.size();
  const int64_t axis = normal_axis(int_attribute(anchor_of(spec), "axis", 1), rank);
  return axis < 0 ? rank : static_cast<size_t>(axis);
}

/// True if the part is computed at run time, in the output's layout; every part but the last fills
/// its blocks when they are joined along the channels.
bool takes_part(const KernelSpec& spec, size_t operand) {
  const Node& node = anchor_of(spec);
  const std::optional<size_t> index = input_index(spec.workload, 0, operand);
  if (!index || anchor_type(spec, operand).data_type != DataType::kFloat32) return false;
  const Layout layout = spec.output_layout();
  if (spec.layouts[*index] != layout) return false;
  if (layout.block == 0) return true;
  if (spec.workload.is_weight(node.inputs[operand])) return false;
  const bool is_last = operand + 1 == node.inputs.size();
  return axis_of(spec) != 1 || is_last || anchor_type(spec, operand).shape[1] % layout.block == 0;
}

std::optional<Config> by_rule(const KernelSpec& spec) {
  if (spec.workload.graph.nodes.size() != 1 || !takes_anchor(spec, "Concat")) return std::nullopt;
  const Node& node = anchor_of(spec);
  if (node.inputs.size() > kMostParts || axis_of(spec) >= anchor_type(spec, 0).shape.size())
    return std::nullopt;
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (!takes_part(spec, i)) return std::nullopt;
  return Config{};
}

/// Every part is a run of elements in each row of the output: one copying loop a part.
Func build(const KernelSpec& spec, KernelBuilder& builder) {
  const size_t axis = axis_of(spec);
  const Layout layout = spec.output_layout();
  const Shape whole = physical_shape(anchor_result(spec).shape, layout);
  const int64_t rows = product(whole, 0, axis);
  const int lanes = builder.lanes();
  constexpr int64_t kPiece = 8192;
  const Var i("i"), row("row");
  Func out("out");
  out(i, row) = Halide::undef<float>();
  int64_t offset = 0;
  for (size_t part = 0; part < anchor_of(spec).inputs.size(); ++part) {
    const Shape shape = physical_shape(anchor_type(spec, part).shape, layout);
    const int64_t length = product(shape, axis, shape.size());
    if (length == 0) continue;
    const RDom r(0, narrow(length), "r");
    std::vector<Expr> position(shape.size(), Expr(0));
    position[0] = r + row * narrow(length);
    const Halide::Func input = builder.operand(*input_index(spec.workload, 0, part));
    out(narrow(offset) + r, row) = input(position);
    offset += length;
    Halide::Stage stage = out.update(out.num_update_definitions() - 1);
    const RVar piece("piece"), inner("inner"), vector("vector");
    stage.allow_race_conditions();
    const bool is_long = length >= 2 * kPiece;
    RVar loop = r.x;
    if (is_long) {
      stage.split(r.x, piece, inner, narrow(kPiece), TailStrategy::GuardWithIf);
      loop = inner;
    }
    if (length >= lanes)
      stage.split(loop, loop, vector, lanes, TailStrategy::GuardWithIf).vectorize(vector);
    if (is_long)
      stage.parallel(piece);
    else if (rows >= 2 && rows * length >= 2 * kPiece)
      stage.parallel(row, std::max(1, narrow(kPiece / length)));
  }
  builder.set_output_extents({product(whole, axis, whole.size()), rows});
  return out;
}

}  // namespace

ScheduleDef concat_schedule() {
  return {.name = "concat",
          .summary = "one copying loop a part",
          .by_rule = by_rule,
          .priority = 5,
          .pack = nullptr,
          .build = build};
}

}  // namespace opbench
