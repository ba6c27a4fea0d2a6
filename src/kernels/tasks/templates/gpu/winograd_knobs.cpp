#include "kernels/tasks/templates/gpu/winograd_knobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

bool are_one(const std::vector<int64_t>& values) {
  return std::ranges::all_of(values, [](int64_t value) { return value == 1; });
}

}  // namespace

Result<void> check_winograd(const ConvolutionArguments& conv, int64_t least, int64_t most) {
  const int64_t taps = conv.kernel.back();
  const int64_t high = conv.kernel[conv.kernel.size() - 2];
  if (high == taps && taps >= least && taps <= most && are_one(conv.strides) &&
      are_one(conv.dilation)) {
    return {};
  }
  return Error{ErrorCode::kInvalidInput,
               fmt::format("winograd for kernel {}x{}, strides {}, dilation {}", high, taps,
                           fmt::join(conv.strides, "x"), fmt::join(conv.dilation, "x"))}
      .with("valid",
            fmt::format("square kernels of {} to {} taps, strides and dilation 1", least, most));
}

int64_t winograd_cuda_tile(const ConvolutionArguments& conv) {
  return conv.input[conv.input.size() - 2] % 8 == 0 ? 4 : 2;
}

int64_t winograd_tiles(const ConvolutionArguments& conv, int64_t tile) {
  // More than a knob can split stays more.
  constexpr int64_t kTooMany = int64_t{1} << 32;
  int64_t tiles = conv.batch;
  for (size_t axis = 0; axis < conv.input.size(); ++axis) {
    const int64_t along = std::min((conv.output(axis) + tile - 1) / tile, kTooMany / 4);
    tiles = std::min(tiles * along, kTooMany);
  }
  return tiles;
}

void define_whole_split(SpaceBuilder& builder, const std::string& name, int64_t length) {
  builder.define_split(name, length,
                       SplitOptions{.num_outputs = 4, .filter = [](const SplitSizes& sizes) {
                                      return std::all_of(sizes.begin() + 1, sizes.end(),
                                                         [](int64_t size) { return size == 1; });
                                    }});
}

void define_winograd_cuda(SpaceBuilder& builder, const ConvolutionArguments& conv, int64_t taps,
                          const Target& target) {
  const int64_t tile = winograd_cuda_tile(conv);
  const int64_t side = tile + taps - 1;
  define_whole_split(builder, "tile_b", side * side);
  builder.define_split("tile_y", conv.kernel_out, 4);
  builder.define_split("tile_x", winograd_tiles(conv, tile), 4);
  builder.define_split("tile_rc", conv.in_channels, 2);
  define_unrolling(builder, {0, 128, 1500}, target);
}

}  // namespace opbench
