#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "kernels/space/argument.h"

namespace opbench {

enum class DataLayout { kNchw, kNhwc, kHwcn };
/// Of a depthwise kernel the first is [C, M, …], the last [KH, KW, C, M].
enum class KernelLayout { kOihw, kIohw, kHwio };

/// How a template's arguments are written: data, kernel, strides, padding, then `rest` by name.
/// `dilation`, `groups` and `output_padding` are read, others (layouts, types) passed over; all of
/// `rest` but the dilation may be missing at the end, as in older logs.
struct ConvolutionForm {
  size_t axes = 2;  ///< spatial: width, height and width, or depth, height and width
  DataLayout data = DataLayout::kNchw;
  KernelLayout kernel = KernelLayout::kOihw;
  std::vector<std::string> rest = {"dilation", "out_dtype"};
};

/// What the arguments of a convolution task say. Per spatial axis: depth, height, width.
struct ConvolutionArguments {
  int64_t batch = 1;
  int64_t in_channels = 1;
  int64_t kernel_out = 1;  ///< O of OIHW, C of a depthwise kernel
  int64_t kernel_in = 1;   ///< I of OIHW, the channel multiplier of a depthwise kernel
  int64_t groups = 1;
  std::vector<int64_t> input;
  std::vector<int64_t> kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> padding_before;
  std::vector<int64_t> padding_after;
  std::vector<int64_t> dilation;
  std::vector<int64_t> output_padding;
  std::string data_type;
  std::string kernel_type;

  /// Extent of the output along an axis; `transposed_output` that of a transposed convolution.
  int64_t output(size_t axis) const;
  int64_t transposed_output(size_t axis) const;
  /// The same of the kernel without its dilation.
  int64_t undilated_output(size_t axis) const;
  /// Input with its padding.
  int64_t padded(size_t axis) const;
};

/// Packed tensors count as what was packed: NCHW8c data of five extents, kernels of six
/// ([O/o, I/i, KH, KW, i, o]) or five ([O/o, I, KH, KW, o]). Padding of one number, of one a
/// dimension, or of two a dimension: all before, then all after. `kInvalidInput` naming the first
/// argument that is not as wanted.
Result<ConvolutionArguments> read_convolution(const std::vector<Argument>& arguments,
                                              const ConvolutionForm& form = {});

/// Arguments of conv3d tasks: NCDHW data and OIDHW kernels, or NDHWC and DHWIO. TVM 0.14 has the
/// groups before the last of seven.
Result<ConvolutionArguments> read_conv3d(const std::vector<Argument>& arguments,
                                         DataLayout data = DataLayout::kNchw);

/// Multiplications of the direct convolution twice: what most templates count
/// (docs/reference/config-spaces.md, "Operations of a task"). A depthwise kernel gives its own
/// count too, as it has one input channel for each of its C x M outputs.
double direct_flops(const ConvolutionArguments& conv);

/// What a stage that pads costs: per element a comparison at either side of each padded dimension,
/// and the conjunctions between. 0 without padding.
double padding_flops(const ConvolutionArguments& conv);

}  // namespace opbench
