#include "kernels/tasks/templates/x86/x86_fallback.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/numbers/divisors.h"
#include "kernels/space/fallback_config.h"

namespace opbench {
namespace {

constexpr std::array<std::string_view, 13> kLanes16 = {
    "skylake-avx512", "skx",        "knl",         "knm",
    "x86-64-v4",      "cannonlake", "cascadelake", "icelake",
    "icelake-client", "rocketlake", "tigerlake",   "cooperlake",
    "sapphirerapids"};
constexpr std::array<std::string_view, 10> kLanes8 = {
    "haswell", "core-avx2", "broadwell", "skylake",   "bdver4",
    "znver1",  "znver2",    "znver3",    "x86-64-v3", "alderlake"};

KnobValue in_two(const std::string& name, int64_t length, int64_t inner) {
  return split_value(name, {length / inner, inner});
}

/// Blocks of channels: no wider than a vector, inputs no wider than outputs.
std::vector<KnobValue> channel_blocks(int64_t in_channels, int64_t out_channels, int64_t lanes) {
  const int64_t out_block = largest_divisor(out_channels, lanes);
  const int64_t in_block = largest_divisor(in_channels, out_block);
  return {in_two("tile_ic", in_channels, in_block), in_two("tile_oc", out_channels, out_block)};
}

constexpr int64_t kRegisters = 31;

void add_row_of_pixels(std::vector<KnobValue>& values, int64_t width) {
  values.push_back(in_two("tile_ow", width, largest_divisor(width, kRegisters)));
  values.push_back(option_value("unroll_kw", Argument::of_bool(false)));
}

/// The widest tile, and of those the highest, whose pixels fit into the registers.
void add_tile_of_pixels(std::vector<KnobValue>& values, int64_t height, int64_t width) {
  const int64_t wide = largest_divisor(width, kRegisters);
  values.push_back(in_two("tile_ow", width, wide));
  const int64_t high = largest_divisor(height, kRegisters / wide);
  values.push_back(option_value("tile_oh", Argument::of_int(high)));
}

}  // namespace

int64_t tvm_simd_lanes(const Target& target) {
  const auto cpu = target.attributes.find("mcpu");
  if (cpu == target.attributes.end()) return 4;
  if (std::ranges::find(kLanes16, cpu->second) != kLanes16.end()) return 16;
  return std::ranges::find(kLanes8, cpu->second) != kLanes8.end() ? 8 : 4;
}

std::vector<KnobValue> nchwc_fallback(const ConvolutionArguments& conv, const Target& target) {
  auto values = channel_blocks(conv.in_channels, conv.kernel_out, tvm_simd_lanes(target));
  if (conv.kernel[0] == 1 && conv.kernel[1] == 1) {
    add_tile_of_pixels(values, conv.output(0), conv.output(1));
  } else {
    add_row_of_pixels(values, conv.output(1));
  }
  return values;
}

std::vector<KnobValue> depthwise_nchwc_fallback(const ConvolutionArguments& conv,
                                                const Target& target) {
  auto values =
      channel_blocks(conv.in_channels, conv.kernel_out * conv.kernel_in, tvm_simd_lanes(target));
  add_row_of_pixels(values, conv.output(1));
  return values;
}

std::vector<KnobValue> dense_nopack_fallback(const MatrixArguments& matrix, const Target& target) {
  const int64_t depth = largest_divisor(matrix.depth, 2 * tvm_simd_lanes(target));
  return {split_value("tile_y", {1, matrix.rows}), split_value("tile_x", {matrix.columns, 1}),
          in_two("tile_k", matrix.depth, depth)};
}

std::vector<KnobValue> dense_pack_fallback(const MatrixArguments& matrix, const Target& target) {
  const int64_t block = largest_divisor(matrix.columns, 2 * tvm_simd_lanes(target));
  const int64_t blocks = matrix.columns / block;
  const int64_t high = power_of_two_dividing(matrix.rows, 8);
  const int64_t bands = matrix.rows / high;
  return {split_value("tile_y", {bands / middle_part(bands), middle_part(bands), high}),
          split_value("tile_x", {blocks / middle_part(blocks), middle_part(blocks), block}),
          split_value("tile_k", {matrix.depth, 1}), in_two("tile_inner", matrix.rows, high)};
}

std::vector<KnobValue> batch_matmul_fallback(const MatrixArguments& matrix) {
  return {in_two("tile_y", matrix.rows, power_of_two_dividing(matrix.rows, 8)),
          in_two("tile_x", matrix.columns, power_of_two_dividing(matrix.columns, 8)),
          in_two("tile_k", matrix.depth, 16)};
}

}  // namespace opbench
