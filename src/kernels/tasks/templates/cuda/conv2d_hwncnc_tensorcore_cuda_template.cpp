#include "kernels/space/space_builder.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/cuda/tensor_core_knobs.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

/// The same for every convolution.
Result<ConfigSpace> conv2d_hwncnc_tensorcore_cuda_space(const std::vector<Argument>&,
                                                        const Target&) {
  SpaceBuilder builder;
  define_warp_tiles(builder, {1, 2, 4, 8, 16});
  builder.define_option("chunk", {1, 2, 4, 8});
  builder.define_option("split_block_k_nums", {1, 2, 4, 8, 16, 32});
  builder.define_option("vector_ws", {1, 8});
  builder.define_option("vector_as", {1, 8, 16});
  builder.define_reorder("reorder_inner", 2, {.policy = "all"});
  define_switch(builder, "AS_double_buffer");
  define_switch(builder, "WS_double_buffer");
  define_unroll_steps(builder, {0, 512, 1500});
  return std::move(builder).finish();
}

}  // namespace

TemplateDef conv2d_hwncnc_tensorcore_cuda_template() {
  return {.name = "conv2d_HWNCnc_tensorcore.cuda", .space = conv2d_hwncnc_tensorcore_cuda_space};
}

}  // namespace opbench
