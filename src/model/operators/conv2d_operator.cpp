#include <algorithm>

#include "model/operators/elements/float32_run.h"
#include "model/operators/products/matrix_product.h"
#include "model/operators/windows/convolution.h"

namespace opbench {
namespace {

constexpr int64_t kPanelColumns = 512;

Result<std::vector<TensorType>> infer_conv2d(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 3));
  OPBENCH_TRY(const Shape shape, convolution_shape(call));
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

double conv2d_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return flops_of_convolution(call);
}

/// One image's channels of one group.
struct Conv2dPlanes {
  const float* data;
  int64_t channels;
  std::array<WindowAxis, 3> axes;
};

/// One row of the panel: what filter tap (z, y, x) of one channel meets at outputs [begin, end).
void gather_tap(const Conv2dPlanes& in, int64_t channel, std::array<int64_t, 3> tap, int64_t begin,
                int64_t end, float* out) {
  const auto& [az, ay, ax] = in.axes;
  const float* plane = in.data + channel * az.input * ay.input * ax.input;
  for (int64_t p = begin; p < end;) {
    const int64_t ox = p % ax.output;
    const int64_t oy = p / ax.output % ay.output;
    const int64_t oz = p / ax.output / ay.output;
    const int64_t count = std::min(ax.output - ox, end - p);
    const int64_t z = az.position(oz, tap[0]);
    const int64_t y = ay.position(oy, tap[1]);
    const bool is_inside = z >= 0 && z < az.input && y >= 0 && y < ay.input;
    const float* row = plane + (is_inside ? (z * ay.input + y) * ax.input : 0);
    for (int64_t i = 0; i < count; ++i, ++p) {
      const int64_t x = ax.position(ox + i, tap[2]);
      *out++ = is_inside && x >= 0 && x < ax.input ? row[x] : 0.0F;
    }
  }
}

/// panel[channel, z, y, x][outputs begin … end), the operand of the product with the filters.
void gather_panel(const Conv2dPlanes& in, int64_t begin, int64_t end, std::vector<float>& panel) {
  const auto& [az, ay, ax] = in.axes;
  float* out = panel.data();
  for (int64_t c = 0; c < in.channels; ++c) {
    for (int64_t z = 0; z < az.kernel; ++z) {
      for (int64_t y = 0; y < ay.kernel; ++y) {
        for (int64_t x = 0; x < ax.kernel; ++x, out += end - begin) {
          gather_tap(in, c, {z, y, x}, begin, end, out);
        }
      }
    }
  }
}

/// Filters times the panels of one image and group: out[filters, outputs].
void conv2d_convolve(const Conv2dPlanes& in, const float* filters, int64_t filter_count,
                     float* out) {
  const auto& [az, ay, ax] = in.axes;
  const int64_t taps = in.channels * az.kernel * ay.kernel * ax.kernel;
  const int64_t outputs = az.output * ay.output * ax.output;
  std::vector<float> panel(static_cast<size_t>(taps * std::min(outputs, kPanelColumns)));
  for (int64_t begin = 0; begin < outputs; begin += kPanelColumns) {
    const int64_t end = std::min(outputs, begin + kPanelColumns);
    gather_panel(in, begin, end, panel);
    matrix_product({filters, taps, 1}, {panel.data(), end - begin, 1}, out + begin, outputs,
                   filter_count, end - begin, taps);
  }
}

Result<void> run_conv2d(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  if (inputs[0].type.data_type != DataType::kFloat32) {
    return misfit(call, "runs on float32 only");
  }
  OPBENCH_TRY(const Window axes, convolution_window(call));
  const Shape& x = inputs[0].type.shape;
  const Shape& w = inputs[1].type.shape;
  const int64_t groups = int_attribute(*call.node, "group", 1);
  const int64_t filters = w[0] / groups;
  const int64_t in_plane = element_count(spatial_extents(x));
  const int64_t out_plane = element_count(spatial_extents(outputs[0].type.shape));
  const int64_t filter_size = element_count({w.begin() + 1, w.end()});
  float* out = outputs[0].as<float>().data();
  for (int64_t n = 0; n < x[0]; ++n) {
    for (int64_t g = 0; g < groups; ++g) {
      const float* in = inputs[0].as<float>().data() + (n * x[1] + g * w[1]) * in_plane;
      conv2d_convolve({in, w[1], three_axes(axes)},
                      inputs[1].as<float>().data() + g * filters * filter_size, filters,
                      out + (n * w[0] + g * filters) * out_plane);
    }
  }
  if (!has_input(call, 2)) return {};
  const auto bias = inputs[2].as<float>();
  for (int64_t c = 0; c < x[0] * w[0]; ++c) {
    for (int64_t i = 0; i < out_plane; ++i) out[c * out_plane + i] += bias[c % w[0]];
  }
  return {};
}

}  // namespace

OperatorDef conv2d_operator() {
  return {
      .name = "conv2d",
      .summary = "Convolution over 1, 2 or 3 spatial axes, grouped, dilated, with bias",
      .onnx_types = {"Conv"},
      .fusion = FusionRole::kAnchor,
      .layout = LayoutRole::kBlocked,
      .infer = infer_conv2d,
      .flops = conv2d_flops,
      .run = run_in_float32<run_conv2d>,
      .normal_form = attributes_of_convolution,
      .attributes = convolution_attributes(),
  };
}

}  // namespace opbench
