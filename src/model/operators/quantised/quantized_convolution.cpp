#include "model/operators/quantised/quantized_convolution.h"

#include <fmt/format.h>

#include "model/operators/quantised/quantization.h"
#include "model/operators/windows/pooling.h"

namespace opbench {
namespace {

/// Strides that read zero points, one or one for every filter, as a tensor of the filters' shape.
Integers zero_strides(const OperatorCall& call, size_t index, size_t rank) {
  Integers strides(rank, 0);
  if (has_input(call, index) && element_count(shape_of(call, index)) > 1) strides[0] = 1;
  return strides;
}

Result<std::vector<int32_t>> less_zero_point(const OperatorCall& call,
                                             std::span<const TensorView> inputs, size_t index,
                                             size_t zero) {
  const TensorView points = has_input(call, zero) ? inputs[zero] : TensorView{};
  const size_t rank = inputs[index].type.shape.size();
  return centred(call, inputs[index], points, zero_strides(call, zero, rank));
}

/// Products of one channel's window with its filter, without the taps in padding.
int64_t window_sum(const int32_t* x, const int32_t* filter, const std::array<WindowAxis, 3>& axes,
                   const PoolTaps& at) {
  const auto& [az, ay, ax] = axes;
  int64_t sum = 0;
  for (int64_t z = at.taps[0][0]; z < at.taps[0][1]; ++z) {
    for (int64_t y = at.taps[1][0]; y < at.taps[1][1]; ++y) {
      const int64_t row = az.position(at.output[0], z) * ay.input + ay.position(at.output[1], y);
      const int32_t* taps = filter + (z * ay.kernel + y) * ax.kernel;
      for (int64_t i = at.taps[2][0]; i < at.taps[2][1]; ++i) {
        const int64_t offset = row * ax.input + ax.position(at.output[2], i);
        sum += static_cast<int64_t>(x[offset]) * taps[i];
      }
    }
  }
  return sum;
}

/// One image's channels of a group, and one filter.
struct QuantizedConvolutionPlanes {
  const int32_t* x = nullptr;
  const int32_t* filter = nullptr;
  int64_t channels = 0;
};

/// Adds the sums of products at every output to `sums`.
void quantized_convolution_convolve(const QuantizedConvolutionPlanes& in,
                                    const std::array<WindowAxis, 3>& axes, int64_t* sums) {
  const auto& [az, ay, ax] = axes;
  const int64_t plane = az.input * ay.input * ax.input;
  const int64_t taps = az.kernel * ay.kernel * ax.kernel;
  for_each_output(axes, 1, [&](int64_t, int64_t flat, const PoolTaps& at) {
    for (int64_t c = 0; c < in.channels; ++c) {
      sums[flat] += window_sum(in.x + c * plane, in.filter + c * taps, axes, at);
    }
  });
}

}  // namespace

Result<void> require_per_filter(const OperatorCall& call, size_t index, int64_t filters) {
  if (!has_input(call, index)) return {};
  const Shape& shape = shape_of(call, index);
  if (shape.size() <= 1 && (element_count(shape) == 1 || shape == Shape{filters})) return {};
  return misfit(call, fmt::format("operand {} of shape {} does not fit {} filters", index,
                                  shape_text(shape), filters));
}

Result<void> check_quantized_convolution(const OperatorCall& call, const QuantizedConvolution& at) {
  OPBENCH_CHECK(require_byte_integers(call, at.x));
  OPBENCH_CHECK(require_byte_integers(call, at.w));
  OPBENCH_CHECK(require_single(call, at.x_zero, "zero point"));
  OPBENCH_CHECK(require_per_filter(call, at.w_zero, shape_of(call, at.w)[0]));
  OPBENCH_CHECK(require_zero_point(call, at.x_zero, at.x));
  return require_zero_point(call, at.w_zero, at.w);
}

OperatorCall as_convolution(const OperatorCall& call, const QuantizedConvolution& at) {
  OperatorCall result{call.node, call.opset, {}, {}};
  for (const size_t index : {at.x, at.w, at.bias}) {
    const bool is_there = has_input(call, index);
    result.inputs.push_back(is_there ? call.inputs[index] : nullptr);
    result.constants.push_back(is_there ? call.constants[index] : nullptr);
  }
  return result;
}

Result<std::vector<int64_t>> integer_convolution(const OperatorCall& call,
                                                 std::span<const TensorView> inputs,
                                                 const QuantizedConvolution& at) {
  OPBENCH_TRY(const Window window, convolution_window(as_convolution(call, at)));
  OPBENCH_TRY(const auto x, less_zero_point(call, inputs, at.x, at.x_zero));
  OPBENCH_TRY(const auto filters, less_zero_point(call, inputs, at.w, at.w_zero));
  const Shape& in = shape_of(call, at.x);
  const Shape& w = shape_of(call, at.w);
  const int64_t per_group = w[0] / int_attribute(*call.node, "group", 1);
  const int64_t plane = element_count(spatial_extents(in));
  const int64_t filter_size = w[1] * element_count(spatial_extents(w));
  const int64_t out_plane = element_count(output_extents(window));
  std::vector<int64_t> sums(static_cast<size_t>(in[0] * w[0] * out_plane), 0);
  for (int64_t i = 0; i < in[0] * w[0]; ++i) {
    const int64_t filter = i % w[0];
    const int64_t channel = i / w[0] * in[1] + filter / per_group * w[1];
    quantized_convolution_convolve(
        {x.data() + channel * plane, filters.data() + filter * filter_size, w[1]},
        three_axes(window), sums.data() + i * out_plane);
  }
  return sums;
}

}  // namespace opbench
