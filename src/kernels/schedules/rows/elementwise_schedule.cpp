#include <halide14/Halide.h>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/epilogue_operand.h"
#include "kernels/schedules/operands/free_axes.h"
#include "kernels/schedules/rows/elementwise_loops.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Func;

std::optional<Config> elementwise_default_config(const KernelSpec& spec) {
  if (output_type(spec.workload).size() == 0 || !can_epilogue(spec, 0)) return std::nullopt;
  return Config{};
}

Func build_elementwise(const KernelSpec& spec, KernelBuilder& builder) {
  ElementwiseLoops loops;
  Func out = define_elementwise(spec, builder, loops);
  schedule_stream(out, loops.vars, loops.extents, builder.lanes());
  return out;
}

}  // namespace

ScheduleDef elementwise_schedule() {
  return {.name = "elementwise",
          .summary = "a chain of elementwise steps in one pass over merged dimensions",
          .default_config = elementwise_default_config,
          .takes_free = are_free_axes_read,
          .priority = 1,
          .pack = pack_epilogue_weight,
          .build = build_elementwise};
}

}  // namespace opbench
