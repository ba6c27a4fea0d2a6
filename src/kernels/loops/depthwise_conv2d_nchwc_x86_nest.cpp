#include "kernels/loops/blocked_convolution.h"
#include "kernels/loops/nest.h"

namespace opbench {
namespace {

/// Channel oc * tile_oc + o of the data. Where the blocks differ the channel stands in divisions by
/// tile_ic, except when one block is a multiple of the other.
std::vector<AxisStride> data_strides(const BlockedConvolution& conv) {
  const ConvolutionArguments& s = conv.shape;
  const int64_t row = conv.padded_row(), plane = conv.padded_plane();
  const bool holds_blocks = conv.out_block % conv.in_block == 0;
  return {{"n", conv.in_chunks * plane},
          {"oc", holds_blocks ? conv.out_block / conv.in_block * plane : 1},
          {"y", s.strides[0] * row},
          {"xo", conv.pixels * s.strides[1] * conv.in_block},
          {"xi", s.strides[1] * conv.in_block},
          {"kh", s.dilation[0] * row},
          {"kw", s.dilation[1] * conv.in_block},
          {"o", 1}};
}

void add_tile(const BlockedConvolution& conv, LoopKind pixels, NestBuilder& nest) {
  nest.open(pixels, {{"xi", conv.pixels}});
  nest.open(LoopKind::kVectorized, {{"o", conv.out_block}});
}

/// depthwise_conv2d_NCHWc.x86 (docs/reference/config-spaces.md, "Loop nests").
Result<LoopNest> nest_of_depthwise_conv2d_nchwc_x86(const std::vector<Argument>& arguments,
                                                    const KnobConfig& config) {
  ConfigReader reader(config);
  OPBENCH_TRY(const BlockedConvolution conv, blocked_convolution(arguments, reader, true));
  const bool unrolls_width = reader.option("unroll_kw") != 0;
  OPBENCH_CHECK(reader.finish());
  const std::vector<int64_t>& taps = conv.shape.kernel;
  const std::vector<AxisStride> sums = {{"xi", conv.out_block}, {"o", 1}};
  NestBuilder nest;
  add_padding_stage(conv, nest);
  nest.open(LoopKind::kSerial, {{"n", conv.shape.batch}});
  nest.open(LoopKind::kParallel, {{"oc", conv.out_chunks}, {"y", conv.height}});
  nest.open(LoopKind::kSerial, {{"xo", conv.columns}});
  nest.open(LoopKind::kSerial, {{"kh", taps[0]}});
  nest.open(unrolls_width ? LoopKind::kUnrolled : LoopKind::kSerial, {{"kw", taps[1]}});
  add_tile(conv, LoopKind::kUnrolled, nest);
  nest.access("output.global", sums);
  nest.access("output.global", sums);
  nest.access(data_buffer(conv), data_strides(conv));
  nest.access("kernel", {{"oc", taps[0] * taps[1] * conv.out_block},
                         {"kh", taps[1] * conv.out_block},
                         {"kw", conv.out_block},
                         {"o", 1}});
  nest.compute(1, 1);
  nest.close(4);
  add_tile(conv, LoopKind::kSerial, nest);
  nest.access("output", output_strides(conv));
  nest.access("output.global", sums);
  return std::move(nest).finish();
}

}  // namespace

NestDef depthwise_conv2d_nchwc_x86_nest() {
  return {.name = "depthwise_conv2d_NCHWc.x86", .nest = nest_of_depthwise_conv2d_nchwc_x86};
}

}  // namespace opbench
