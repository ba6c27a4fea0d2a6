#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/products/matrix_product.h"
#include "model/operators/windows/window.h"

namespace opbench {
namespace {

/// The attributes that shape one axis of the result.
struct AxisWish {
  int64_t output_padding = 0;
  std::optional<int64_t> extent;  ///< from `output_shape`
};

/// Sets the result's extent, (in - 1) * stride + output_padding + reach - pads. Where the extent is
/// wished for (`output_shape`, or in * stride for SAME) the pads follow from it: an odd one goes to
/// the end for SAME_UPPER and to the beginning otherwise, as in ONNX and ONNX Runtime. A wish above
/// what the filters reach is met by `output_shape` alone.
void set_extent(WindowAxis& axis, const std::string& auto_pad, const AxisWish& wish) {
  const int64_t in = axis.output;
  const int64_t full = (in - 1) * axis.stride + wish.output_padding + axis.reach();
  if (auto_pad == "VALID") axis.pad_begin = axis.pad_end = 0;
  if (wish.extent || auto_pad.starts_with("SAME")) {
    const int64_t total = std::max<int64_t>(0, full - wish.extent.value_or(in * axis.stride));
    axis.pad_begin = auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
    axis.pad_end = total - axis.pad_begin;
  }
  axis.input = wish.extent.value_or(full - axis.pad_begin - axis.pad_end);
}

/// The window of the convolution that this one transposes: its inputs are our outputs.
Result<Window> window(const OperatorCall& call) {
  const Shape in = spatial_extents(shape_of(call, 0));
  const size_t rank = in.size();
  OPBENCH_TRY(const std::string auto_pad,
              choice_attribute(call, "auto_pad", "NOTSET",
                               {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}));
  OPBENCH_TRY(Window axes, unresolved_window(call, in, spatial_extents(shape_of(call, 1))));
  OPBENCH_TRY(const Integers more, window_integers(call, "output_padding", rank, 0));
  const Integers wanted = ints_attribute(*call.node, "output_shape", {});
  if (!wanted.empty() && wanted.size() != rank && wanted.size() != rank + 2) {
    return misfit(call, fmt::format("output_shape has {} values, needs {}", wanted.size(), rank));
  }
  for (size_t i = 0; i < rank; ++i) {
    WindowAxis& axis = axes[i];
    AxisWish wish{.output_padding = more[i], .extent = {}};
    if (!wanted.empty()) wish.extent = wanted[wanted.size() - rank + i];
    axis.output = in[i];
    set_extent(axis, auto_pad, wish);
    if (axis.input < 1) return misfit(call, "gives an extent below 1");
  }
  return axes;
}

Result<std::vector<TensorType>> infer_conv_transpose(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 3));
  OPBENCH_CHECK(require_rank(call, 0, 3, 5));
  OPBENCH_CHECK(require_rank(call, 1, rank_of(call, 0), rank_of(call, 0)));
  const Shape& x = shape_of(call, 0);
  const Shape& w = shape_of(call, 1);
  const int64_t groups = int_attribute(*call.node, "group", 1);
  const bool divides = groups >= 1 && groups <= std::max<int64_t>(w[0], 1) && w[0] % groups == 0;
  if (!divides || x[1] != w[0]) {
    return misfit(call, fmt::format("filters {} in {} groups do not fit input {}", shape_text(w),
                                    groups, shape_text(x)));
  }
  OPBENCH_TRY(const Window axes, window(call));
  Shape shape{x[0], w[1] * groups};
  for (const WindowAxis& axis : axes) shape.push_back(axis.input);
  if (has_input(call, 2) && shape_of(call, 2) != Shape{shape[1]}) {
    return misfit(call, "bias does not fit " + fmt::format("{} channels", shape[1]));
  }
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

double conv_transpose_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto axes = window(call);
  return axes ? convolution_flops(call, *axes) : 0;
}

/// Adds the contribution of every input position of one output channel: `columns` holds, for every
/// tap, a row of products over the input positions.
void scatter(const std::array<WindowAxis, 3>& axes, const float* columns, float* plane) {
  const auto& [az, ay, ax] = axes;
  const int64_t positions = az.output * ay.output * ax.output;
  for (int64_t p = 0; p < positions; ++p) {
    const int64_t ix = p % ax.output;
    const int64_t iy = p / ax.output % ay.output;
    const int64_t iz = p / ax.output / ay.output;
    const auto tz = az.taps(iz);
    const auto ty = ay.taps(iy);
    const auto tx = ax.taps(ix);
    for (int64_t z = tz[0]; z < tz[1]; ++z) {
      for (int64_t y = ty[0]; y < ty[1]; ++y) {
        const int64_t row = az.position(iz, z) * ay.input + ay.position(iy, y);
        const int64_t tap = (z * ay.kernel + y) * ax.kernel;
        for (int64_t x = tx[0]; x < tx[1]; ++x) {
          plane[row * ax.input + ax.position(ix, x)] += columns[(tap + x) * positions + p];
        }
      }
    }
  }
}

Result<void> run_conv_transpose(const OperatorCall& call, std::span<const TensorView> inputs,
                                std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  OPBENCH_TRY(const Window axes, window(call));
  const Shape& x = inputs[0].type.shape;
  const Shape& w = inputs[1].type.shape;
  const int64_t groups = int_attribute(*call.node, "group", 1);
  const int64_t in_channels = w[0] / groups;
  const int64_t taps = element_count(spatial_extents(w));
  const int64_t in_plane = element_count(spatial_extents(x));
  const int64_t out_plane = element_count(spatial_extents(outputs[0].type.shape));
  std::vector<float> columns(static_cast<size_t>(taps * in_plane));
  for (int64_t i = 0; i < x[0] * groups * w[1]; ++i) {
    const int64_t channel = i % w[1];
    const int64_t group = i / w[1] % groups;
    const int64_t image = i / w[1] / groups;
    float* plane = outputs[0].as<float>().data() + i * out_plane;
    const float bias = has_input(call, 2) ? inputs[2].as<float>()[group * w[1] + channel] : 0.0F;
    std::fill_n(plane, out_plane, bias);
    const float* filters =
        inputs[1].as<float>().data() + (group * in_channels * w[1] + channel) * taps;
    const float* in =
        inputs[0].as<float>().data() + (image * x[1] + group * in_channels) * in_plane;
    matrix_product({filters, 1, w[1] * taps}, {in, in_plane, 1}, columns.data(), in_plane, taps,
                   in_plane, in_channels);
    scatter(three_axes(axes), columns.data(), plane);
  }
  return {};
}

Attributes conv_transpose_normal_form(const OperatorCall& call) {
  const auto axes = window(call);
  if (!axes) return {};
  Attributes result = normal_convolution(call, *axes);
  Integers more;
  for (const WindowAxis& axis : *axes) {
    const int64_t full = (axis.output - 1) * axis.stride + axis.reach();
    more.push_back(axis.input + axis.pad_begin + axis.pad_end - full);
  }
  if (std::ranges::any_of(more, [](int64_t m) { return m != 0; })) result["output_padding"] = more;
  return result;
}

}  // namespace

OperatorDef conv_transpose_operator() {
  std::vector<AttributeDef> attributes = convolution_attributes();
  attributes.push_back({"output_padding", Integers{}});
  attributes.push_back({"output_shape", Integers{}});
  return {
      .name = "conv_transpose",
      .summary = "Transposed convolution over 1, 2 or 3 spatial axes, grouped",
      .onnx_types = {"ConvTranspose"},
      .fusion = FusionRole::kAnchor,
      .infer = infer_conv_transpose,
      .flops = conv_transpose_flops,
      .run = run_in_float32<run_conv_transpose>,
      .normal_form = conv_transpose_normal_form,
      .attributes = attributes,
  };
}

}  // namespace opbench
