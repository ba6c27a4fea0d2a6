#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/concat_parts.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

std::optional<Config> concat_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !is_concat(spec)) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

/// Copies all rows of a part to `offset` of the output's rows: a kernel of its own.
void copy_part(Func& out, const Func& input, size_t rank, int64_t length, int64_t rows,
               int64_t offset, const Config& config) {
  const Halide::RDom r(0, narrow(length * rows), "r");
  std::vector<Expr> at(rank, Expr(0));
  at[0] = r;  // dimension 0 runs on over all elements
  out(narrow(offset) + r % narrow(length), r / narrow(length)) = input(at);
  Halide::Stage stage = out.update(out.num_update_definitions() - 1);
  const int64_t group = std::min(config.at(kGroupKnob), length * rows);
  const RVar block("block"), thread("thread");
  stage
      .allow_race_conditions()  // every element is written once
      .split(r.x, block, thread, narrow(group), TailStrategy::GuardWithIf)
      .gpu_blocks(block)
      .gpu_threads(thread);
}

Func build_concat_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const size_t axis = concat_axis_of(spec);
  const Shape& whole = anchor_result(spec).shape;
  const int64_t rows = product(whole, 0, axis);
  const Var i("i"), row("row");
  Func out("out");
  out(i, row) = Halide::undef<float>();
  int64_t offset = 0;
  for (size_t part = 0; part < anchor_of(spec).inputs.size(); ++part) {
    const Shape& shape = anchor_type(spec, part).shape;
    const int64_t length = product(shape, axis, shape.size());
    if (length == 0) continue;
    const Func input = builder.operand(*input_index(spec.workload, 0, part));
    copy_part(out, input, shape.size(), length, rows, offset, spec.config);
    offset += length;
  }
  builder.set_output_extents({offset, rows});
  return out;
}

}  // namespace

ScheduleDef concat_gpu_schedule() {
  return {.name = "concat_gpu",
          .summary = "a copying kernel a part",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = concat_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = nullptr,
          .check_config = check_group_config,
          .build = build_concat_gpu};
}

}  // namespace opbench
