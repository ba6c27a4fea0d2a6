#include "kernels/loops/blocked_convolution.h"

#include <algorithm>

#include "base/numbers/divisors.h"

namespace opbench {

Result<BlockedConvolution> blocked_convolution(const std::vector<Argument>& arguments,
                                               ConfigReader& reader, bool is_depthwise) {
  const ConvolutionForm form{.rest = {"dilation", "layout", "out_layout", "out_dtype"}};
  BlockedConvolution conv;
  OPBENCH_TRY(conv.shape, read_convolution(arguments, form));
  const ConvolutionArguments& shape = conv.shape;
  const int64_t channels = shape.kernel_out * (is_depthwise ? shape.kernel_in : 1);
  conv.in_block = reader.last_size("tile_ic");
  conv.out_block = reader.last_size("tile_oc");
  conv.in_chunks = ceil_div(shape.in_channels, conv.in_block);
  conv.out_chunks = ceil_div(channels, conv.out_block);
  conv.height = shape.output(0);
  conv.width = shape.output(1);
  conv.pixels = std::min(reader.last_size("tile_ow"), conv.width);
  conv.columns = ceil_div(conv.width, conv.pixels);
  conv.is_padded = shape.padded(0) != shape.input[0] || shape.padded(1) != shape.input[1];
  OPBENCH_CHECK(reader.finish());
  return conv;
}

void add_padding_stage(const BlockedConvolution& conv, NestBuilder& nest) {
  if (!conv.is_padded) return;
  const ConvolutionArguments& shape = conv.shape;
  const int64_t row = shape.input[1] * conv.in_block;
  const int64_t plane = shape.input[0] * row;
  nest.open(LoopKind::kParallel,
            {{"n", shape.batch}, {"ic", conv.in_chunks}, {"y", shape.padded(0)}});
  nest.open(LoopKind::kSerial, {{"x", shape.padded(1)}});
  nest.open(LoopKind::kVectorized, {{"i", conv.in_block}});
  nest.access("data_pad", {{"n", conv.in_chunks * conv.padded_plane()},
                           {"ic", conv.padded_plane()},
                           {"y", conv.padded_row()},
                           {"x", conv.in_block},
                           {"i", 1}});
  nest.access(
      "data",
      {{"n", conv.in_chunks * plane}, {"ic", plane}, {"y", row}, {"x", conv.in_block}, {"i", 1}});
  nest.close(3);
}

std::string_view data_buffer(const BlockedConvolution& conv) {
  return conv.is_padded ? "data_pad" : "data";
}

std::vector<AxisStride> output_strides(const BlockedConvolution& conv) {
  const int64_t row = conv.width * conv.out_block;
  return {{"n", conv.out_chunks * conv.height * row}, {"oc", conv.height * row}, {"y", row},
          {"xo", conv.pixels * conv.out_block},       {"xi", conv.out_block},    {"o", 1}};
}

}  // namespace opbench
