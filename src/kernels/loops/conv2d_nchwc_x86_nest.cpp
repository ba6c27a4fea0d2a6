#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/loops/blocked_convolution.h"
#include "kernels/loops/nest.h"

namespace opbench {
namespace {

/// conv2d_NCHWc.x86 (docs/reference/config-spaces.md, "Loop nests"): sums of a tile of pixels times
/// `tile_oc` channels, then their copy to the output.
class ConvolutionNest {
 public:
  ConvolutionNest(const BlockedConvolution& conv, NestBuilder& nest) : conv_(conv), nest_(nest) {
    const ConvolutionArguments& s = conv.shape;
    const int64_t row = conv.padded_row(), pixel = conv.in_block;
    data_ = {{"n", conv.in_chunks * conv.padded_plane()},
             {"ic", conv.padded_plane()},
             {"y", s.strides[0] * row},
             {"xo", conv.pixels * s.strides[1] * pixel},
             {"xi", s.strides[1] * pixel},
             {"kh", s.dilation[0] * row},
             {"kw", s.dilation[1] * pixel},
             {"i", 1}};
    const int64_t tap = conv.in_block * conv.out_block;
    const int64_t filter = s.kernel[0] * s.kernel[1] * tap;
    kernel_ = {{"oc", conv.in_chunks * filter}, {"ic", filter},
               {"kh", s.kernel[1] * tap},       {"kw", tap},
               {"i", conv.out_block},           {"o", 1}};
  }

  void general(bool unrolls_width) {
    const ConvolutionArguments& s = conv_.shape;
    const std::vector<AxisStride> sums = {{"xi", conv_.out_block}, {"o", 1}};
    nest_.open(LoopKind::kParallel,
               {{"n", s.batch}, {"oc", conv_.out_chunks}, {"y", conv_.height}});
    nest_.open(LoopKind::kSerial, {{"xo", conv_.columns}});
    nest_.open(LoopKind::kSerial, {{"ic", conv_.in_chunks}});
    nest_.open(LoopKind::kSerial, {{"kh", s.kernel[0]}});
    if (unrolls_width) nest_.open(LoopKind::kSerial, {{"i", conv_.in_block}});
    nest_.open(unrolls_width ? LoopKind::kUnrolled : LoopKind::kSerial, {{"kw", s.kernel[1]}});
    if (!unrolls_width) nest_.open(LoopKind::kSerial, {{"i", conv_.in_block}});
    open_tile(LoopKind::kUnrolled);
    add_sums(sums);
    nest_.close(6);
    open_tile(LoopKind::kSerial);
    add_copy(sums, output_strides(conv_));
    nest_.close(4);
  }

  /// A band of `rows` rows is summed whole, tile after tile, before it is copied.
  void pointwise(int64_t rows) {
    const int64_t bands = ceil_div(conv_.height, rows);
    const std::vector<AxisStride> sums = {{"yi", conv_.columns * conv_.pixels * conv_.out_block},
                                          {"xo", conv_.pixels * conv_.out_block},
                                          {"xi", conv_.out_block},
                                          {"o", 1}};
    add_row_axes(rows);
    nest_.open(LoopKind::kParallel,
               {{"n", conv_.shape.batch}, {"oc", conv_.out_chunks}, {"yo", bands}});
    nest_.open(LoopKind::kSerial, {{"xo", conv_.columns}});
    nest_.open(LoopKind::kSerial, {{"ic", conv_.in_chunks}});
    nest_.open(LoopKind::kSerial, {{"i", conv_.in_block}});
    nest_.open(LoopKind::kUnrolled, {{"yi", rows}});
    open_tile(LoopKind::kUnrolled);
    add_sums(sums);
    nest_.close(6);
    nest_.open(LoopKind::kSerial, {{"xo", conv_.columns}});
    nest_.open(LoopKind::kSerial, {{"yi", rows}});
    open_tile(LoopKind::kSerial);
    add_copy(sums, output_);
    nest_.close(5);
  }

 private:
  void open_tile(LoopKind pixels) {
    nest_.open(pixels, {{"xi", conv_.pixels}});
    nest_.open(LoopKind::kVectorized, {{"o", conv_.out_block}});
  }

  void add_sums(const std::vector<AxisStride>& sums) {
    nest_.access("output.global", sums);
    nest_.access("output.global", sums);
    nest_.access(data_buffer(conv_), data_);
    nest_.access("kernel", kernel_);
    nest_.compute(1, 1);
  }

  void add_copy(const std::vector<AxisStride>& sums, const std::vector<AxisStride>& output) {
    nest_.access("output", output);
    nest_.access("output.global", sums);
  }

  /// Rows in bands: y is yo * rows + yi.
  void add_row_axes(int64_t rows) {
    output_ = output_strides(conv_);
    for (std::vector<AxisStride>* strides : {&data_, &output_}) {
      const int64_t row = std::ranges::find(*strides, "y", &AxisStride::axis)->stride;
      strides->push_back({"yo", rows * row});
      strides->push_back({"yi", row});
    }
  }

  const BlockedConvolution& conv_;
  NestBuilder& nest_;
  std::vector<AxisStride> data_;
  std::vector<AxisStride> kernel_;
  std::vector<AxisStride> output_;
};

Result<LoopNest> nest_of_conv2d_nchwc_x86(const std::vector<Argument>& arguments,
                                          const KnobConfig& config) {
  ConfigReader reader(config);
  OPBENCH_TRY(const BlockedConvolution conv, blocked_convolution(arguments, reader, false));
  const bool is_pointwise = conv.shape.kernel[0] == 1 && conv.shape.kernel[1] == 1;
  const int64_t option = reader.option(is_pointwise ? "tile_oh" : "unroll_kw");
  OPBENCH_CHECK(reader.finish());
  NestBuilder nest;
  add_padding_stage(conv, nest);
  if (is_pointwise)
    ConvolutionNest(conv, nest).pointwise(std::clamp<int64_t>(option, 1, conv.height));
  else
    ConvolutionNest(conv, nest).general(option != 0);
  return std::move(nest).finish();
}

}  // namespace

NestDef conv2d_nchwc_x86_nest() {
  return {.name = "conv2d_NCHWc.x86", .nest = nest_of_conv2d_nchwc_x86};
}

}  // namespace opbench
