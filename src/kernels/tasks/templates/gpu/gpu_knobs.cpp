#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {

void define_unroll_steps(SpaceBuilder& builder, const std::vector<int64_t>& steps) {
  builder.define_option("auto_unroll_max_step", steps);
}

void define_unrolling(SpaceBuilder& builder, const std::vector<int64_t>& steps,
                      const Target& target) {
  define_unroll_steps(builder, steps);
  const bool is_explicit = target.kind == "nvptx" || target.kind == "rocm";
  builder.define_option("unroll_explicit",
                        is_explicit ? std::vector<int64_t>{1} : std::vector<int64_t>{0, 1});
}

void define_switch(SpaceBuilder& builder, const std::string& name) {
  builder.define_option(name, std::vector<int64_t>{0, 1});
}

Result<ConfigSpace> conv3d_cuda_space(const ConvolutionArguments& conv, const Target& target) {
  SpaceBuilder builder;
  builder.define_split("tile_f", conv.kernel_out, 4);
  builder.define_split("tile_d", conv.output(0), 4);
  builder.define_split("tile_y", conv.output(1), 4);
  builder.define_split("tile_x", conv.output(2), 4);
  builder.define_split("tile_rc", conv.in_channels, 2);
  // The extent of the height, also where the depth has another.
  builder.define_split("tile_rd", conv.kernel[1], 2);
  builder.define_split("tile_ry", conv.kernel[1], 2);
  builder.define_split("tile_rx", conv.kernel[2], 2);
  define_unrolling(builder, {0, 512, 1500}, target);
  return std::move(builder).finish();
}

}  // namespace opbench
