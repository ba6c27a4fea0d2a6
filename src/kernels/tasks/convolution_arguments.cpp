#include "kernels/tasks/convolution_arguments.h"

#include <algorithm>
#include <utility>

#include "kernels/tasks/argument_reader.h"

namespace opbench {
namespace {

using Extents = std::vector<int64_t>;

/// Channels in blocks, whose product is an extent itself.
int64_t convolution_arguments_unpacked(ArgumentReader& reader, const std::string& name,
                                       int64_t chunks, int64_t block) {
  if (std::in_range<int32_t>(chunks * block)) return chunks * block;
  reader.refuse(name, "of less than 2^31 channels");
  return 1;
}

void read_data(ArgumentReader& reader, const ConvolutionForm& form, ConvolutionArguments& conv) {
  const size_t rank = form.axes + 2;
  const bool may_be_packed = form.data == DataLayout::kNchw && form.axes == 2;
  const Extents data = reader.tensor(
      "data", may_be_packed ? std::vector{rank, rank + 1} : std::vector{rank}, &conv.data_type);
  const auto axes = static_cast<std::ptrdiff_t>(form.axes);
  switch (form.data) {
    case DataLayout::kNchw:
      conv.batch = data[0];
      conv.in_channels = convolution_arguments_unpacked(reader, "data", data[1],
                                                        data.size() > rank ? data.back() : 1);
      conv.input = Extents(data.begin() + 2, data.begin() + 2 + axes);
      break;
    case DataLayout::kNhwc:
      conv.batch = data[0];
      conv.input = Extents(data.begin() + 1, data.begin() + 1 + axes);
      conv.in_channels = data.back();
      break;
    case DataLayout::kHwcn:
      conv.input = Extents(data.begin(), data.begin() + axes);
      conv.in_channels = data[form.axes];
      conv.batch = data.back();
      break;
  }
}

void read_kernel(ArgumentReader& reader, const ConvolutionForm& form, ConvolutionArguments& conv) {
  const size_t rank = form.axes + 2;
  const auto axes = static_cast<std::ptrdiff_t>(form.axes);
  const bool may_be_packed = form.kernel == KernelLayout::kOihw && form.axes == 2;
  const Extents kernel = reader.tensor(
      "kernel", may_be_packed ? std::vector{rank, rank + 1, rank + 2} : std::vector{rank},
      &conv.kernel_type);
  if (form.kernel == KernelLayout::kHwio) {
    conv.kernel = Extents(kernel.begin(), kernel.begin() + axes);
    conv.kernel_in = kernel[form.axes];
    conv.kernel_out = kernel.back();
    return;
  }
  conv.kernel = Extents(kernel.begin() + 2, kernel.begin() + 2 + axes);
  conv.kernel_out = convolution_arguments_unpacked(reader, "kernel", kernel[0],
                                                   kernel.size() > rank ? kernel.back() : 1);
  conv.kernel_in = convolution_arguments_unpacked(reader, "kernel", kernel[1],
                                                  kernel.size() == rank + 2 ? kernel[rank] : 1);
  if (form.kernel == KernelLayout::kIohw) std::swap(conv.kernel_out, conv.kernel_in);
}

/// One number for each axis, from as many or from one for all.
Extents per_axis(ArgumentReader& reader, const std::string& name, size_t axes, int64_t least) {
  Extents values = reader.integers(name, {axes, 1});
  if (values.size() < axes) values.assign(axes, values[0]);
  if (std::ranges::any_of(values, [&](int64_t value) { return value < least; })) {
    reader.refuse(name, "at least " + std::to_string(least));
    values.assign(axes, 1);
  }
  return values;
}

void read_padding(ArgumentReader& reader, size_t axes, ConvolutionArguments& conv) {
  Extents padding = reader.integers("padding", {2 * axes, axes, 1});
  if (std::ranges::any_of(padding, [](int64_t value) { return value < 0; })) {
    reader.refuse("padding", "at least 0");
  }
  if (padding.size() == 1) padding.assign(axes, padding[0]);
  if (padding.size() == axes) padding.insert(padding.end(), padding.begin(), padding.end());
  const auto half = padding.begin() + static_cast<std::ptrdiff_t>(axes);
  conv.padding_before = Extents(padding.begin(), half);
  conv.padding_after = Extents(half, half + static_cast<std::ptrdiff_t>(axes));
}

double product(const Extents& extents) {
  double result = 1;
  for (const int64_t extent : extents) result *= static_cast<double>(extent);
  return result;
}

double output_elements(const ConvolutionArguments& conv) {
  double result = static_cast<double>(conv.batch);
  for (size_t axis = 0; axis < conv.input.size(); ++axis) {
    result *= static_cast<double>(conv.output(axis));
  }
  return result;
}

}  // namespace

int64_t ConvolutionArguments::padded(size_t axis) const {
  return input[axis] + padding_before[axis] + padding_after[axis];
}

int64_t ConvolutionArguments::output(size_t axis) const {
  const int64_t taps = (kernel[axis] - 1) * dilation[axis] + 1;
  return padded(axis) < taps ? 0 : (padded(axis) - taps) / strides[axis] + 1;
}

int64_t ConvolutionArguments::undilated_output(size_t axis) const {
  return padded(axis) < kernel[axis] ? 0 : (padded(axis) - kernel[axis]) / strides[axis] + 1;
}

int64_t ConvolutionArguments::transposed_output(size_t axis) const {
  return (input[axis] - 1) * strides[axis] + kernel[axis] - padding_before[axis] -
         padding_after[axis] + output_padding[axis];
}

Result<ConvolutionArguments> read_convolution(const std::vector<Argument>& arguments,
                                              const ConvolutionForm& form) {
  ConvolutionArguments conv;
  ArgumentReader reader(arguments);
  read_data(reader, form, conv);
  read_kernel(reader, form, conv);
  conv.strides = per_axis(reader, "strides", form.axes, 1);
  read_padding(reader, form.axes, conv);
  conv.dilation.assign(form.axes, 1);
  conv.output_padding.assign(form.axes, 0);
  for (const std::string& name : form.rest) {
    if (name == "dilation") {
      conv.dilation = per_axis(reader, name, form.axes, 1);
    } else if (name == "groups" && !reader.is_at_end()) {
      conv.groups = per_axis(reader, name, 1, 1)[0];
    } else if (name == "output_padding" && !reader.is_at_end()) {
      conv.output_padding = per_axis(reader, name, form.axes, 0);
    } else {
      reader.skip();
    }
  }
  OPBENCH_CHECK(reader.finish());
  return conv;
}

Result<ConvolutionArguments> read_conv3d(const std::vector<Argument>& arguments, DataLayout data) {
  ConvolutionForm form{.axes = 3, .data = data};
  if (data == DataLayout::kNhwc) form.kernel = KernelLayout::kHwio;
  if (arguments.size() > 6) form.rest = {"dilation", "groups", "out_dtype"};
  return read_convolution(arguments, form);
}

double direct_flops(const ConvolutionArguments& conv) {
  return 2 * output_elements(conv) * product(conv.kernel) * static_cast<double>(conv.kernel_out) *
         static_cast<double>(conv.kernel_in);
}

double padding_flops(const ConvolutionArguments& conv) {
  int dimensions = 0;
  double elements = static_cast<double>(conv.batch) * static_cast<double>(conv.in_channels);
  for (size_t axis = 0; axis < conv.input.size(); ++axis) {
    if (conv.padding_before[axis] + conv.padding_after[axis] > 0) ++dimensions;
    elements *= static_cast<double>(conv.padded(axis));
  }
  return dimensions == 0 ? 0 : elements * (4 * dimensions - 1);
}

}  // namespace opbench
