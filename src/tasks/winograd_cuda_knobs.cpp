#include "opbench/tasks/winograd_cuda_knobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "opbench/tasks/gpu_knobs.h"

namespace opbench {
namespace {

bool are_one(const std::vector<int64_t>& values) {
  return std::ranges::all_of(values, [](int64_t value) { return value == 1; });
}

}  // namespace

int64_t winograd_cuda_tile(const ConvolutionArguments& conv) {
  return conv.input[0] % 8 == 0 ? 4 : 2;
}

int64_t winograd_tiles(const ConvolutionArguments& conv, int64_t tile) {
  const int64_t high = (conv.output(0) + tile - 1) / tile;
  const int64_t wide = (conv.output(1) + tile - 1) / tile;
  return conv.batch * high * wide;
}

void define_whole_split(SpaceBuilder& builder, const std::string& name, int64_t length) {
  builder.define_split(name, length,
                       SplitOptions{.num_outputs = 4, .filter = [](const SplitSizes& sizes) {
                                      return std::all_of(sizes.begin() + 1, sizes.end(),
                                                         [](int64_t size) { return size == 1; });
                                    }});
}

Result<void> define_winograd_cuda(SpaceBuilder& builder, const ConvolutionArguments& conv,
                                  const Target& target) {
  const int64_t taps = conv.kernel[1];
  if (conv.kernel[0] != taps || taps < 3 || taps > 7 || !are_one(conv.strides) ||
      !are_one(conv.dilation)) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("winograd for kernel {}x{}, strides {}x{}", conv.kernel[0], taps,
                             conv.strides[0], conv.strides[1])}
        .with("valid", "square kernels of 3 to 7 taps, strides and dilation 1");
  }
  const int64_t tile = winograd_cuda_tile(conv);
  const int64_t side = tile + taps - 1;
  define_whole_split(builder, "tile_b", side * side);
  builder.define_split("tile_y", conv.kernel_out, 4);
  builder.define_split("tile_x", winograd_tiles(conv, tile), 4);
  builder.define_split("tile_rc", conv.in_channels, 2);
  define_unrolling(builder, {0, 128, 1500}, target);
  return {};
}

}  // namespace opbench
