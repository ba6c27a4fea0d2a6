#include <halide14/Halide.h>

#include <algorithm>
#include <limits>

#include "base/numbers/divisors.h"
#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/softmax_extents.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

std::optional<Config> softmax_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !softmax_extents_of(spec)) return std::nullopt;
  return Config{{kGroupKnob, kDefaultGroup}};
}

/// A reduction of a row by the threads of a group: what each has of it, then all together.
struct GroupReduction {
  Func parts, all;
};

/// A work group a row: its threads share the row's maximum and its sum.
Func build_softmax_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const SoftmaxExtents extents = softmax_extents_of(spec).value();
  const bool is_log = anchor_of(spec).type == "LogSoftmax";
  const int length = narrow(extents.length), inner = narrow(extents.inner);
  const int group = narrow(std::min(spec.config.at(kGroupKnob), extents.length));
  const Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Var x("x"), i("i"), row("row"), lane("lane");
  const auto offset = [&](const Expr& at) { return x + at * inner + row * (inner * length); };
  const auto value = [&](const Expr& at) {
    std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
    position[0] = offset(at);  // dimension 0 runs on over all elements
    return Expr(input(position));
  };
  const RDom step(0, narrow(ceil_div(extents.length, int64_t{group})), "step"), lanes(0, group);
  const Expr place = lane + step * group;
  const bool is_even = length % group == 0;
  const Expr element = value(is_even ? place : Halide::min(place, length - 1));
  const auto counted = [&](const Expr& one, const Expr& nothing) {
    return is_even ? one : Halide::select(place < length, one, nothing);
  };
  const Expr lowest = -std::numeric_limits<float>::infinity();
  GroupReduction top{Func("top_parts"), Func("top")}, sum{Func("sum_parts"), Func("sum")};
  top.parts(lane, x, row) = lowest;
  top.parts(lane, x, row) = Halide::max(top.parts(lane, x, row), counted(element, lowest));
  top.all(x, row) = lowest;
  top.all(x, row) = Halide::max(top.all(x, row), top.parts(lanes, x, row));
  sum.parts(lane, x, row) = 0.0f;
  sum.parts(lane, x, row) += counted(Halide::exp(element - top.all(x, row)), 0.0f);
  sum.all(x, row) = 0.0f;
  sum.all(x, row) += sum.parts(lanes, x, row);
  const Expr shifted = value(i) - top.all(x, row);
  const Expr result =
      is_log ? shifted - Halide::log(sum.all(x, row)) : Halide::exp(shifted) / sum.all(x, row);
  const Shape& shape = output_type(spec.workload).shape;
  Func out("out");
  out(x, i, row) = builder.epilogue(result, unflatten(offset(i), shape, 0, shape.size()));
  builder.set_output_extents({inner, length, extents.rows});

  const Var chunk("chunk"), block("block");
  out.split(i, chunk, lane, group, is_even ? TailStrategy::RoundUp : TailStrategy::GuardWithIf)
      .reorder({chunk, lane, x, row})
      .fuse(x, row, block)
      .gpu_blocks(block)
      .gpu_threads(lane);
  for (GroupReduction* reduction : {&top, &sum}) {
    reduction->parts.compute_at(out, block).gpu_threads(lane);
    reduction->parts.update().reorder({step.x, lane, x, row}).gpu_threads(lane);
    reduction->all.compute_at(out, block);
  }
  return out;
}

}  // namespace

ScheduleDef softmax_gpu_schedule() {
  return {.name = "softmax_gpu",
          .summary = "softmax and log-softmax along any axis, a work group a row",
          .device_types = {DeviceType::kOpenCl},
          .default_config = softmax_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .check_config = check_group_config,
          .build = build_softmax_gpu};
}

}  // namespace opbench
