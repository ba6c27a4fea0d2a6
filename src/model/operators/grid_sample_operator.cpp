#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/real_values.h"

namespace opbench {
namespace {

/// How an element between the elements is found.
struct Sampling {
  std::string mode;     ///< bilinear, nearest, bicubic
  std::string padding;  ///< zeros, border, reflection
  bool is_aligned = false;
};

/// Opset 20 says linear and cubic, as it has any number of dimensions.
Result<Sampling> sampling_of(const OperatorCall& call) {
  Sampling result;
  OPBENCH_TRY(result.mode, choice_attribute(call, "mode", "bilinear",
                                            {"bilinear", "nearest", "bicubic", "linear", "cubic"}));
  if (result.mode == "linear") result.mode = "bilinear";
  if (result.mode == "cubic") result.mode = "bicubic";
  OPBENCH_TRY(result.padding,
              choice_attribute(call, "padding_mode", "zeros", {"zeros", "border", "reflection"}));
  result.is_aligned = int_attribute(*call.node, "align_corners", 0) != 0;
  return result;
}

/// X[batches, channels, extents…], grid[batches, points…, number of extents]
/// -> [batches, channels, points…].
Result<std::vector<TensorType>> infer_grid_sample(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_TRY(const Sampling sampling, sampling_of(call));
  if (sampling.mode != "nearest") {
    OPBENCH_CHECK(require_real(call, 0));
  }
  OPBENCH_CHECK(require_real(call, 1));
  const Shape& x = shape_of(call, 0);
  const Shape& grid = shape_of(call, 1);
  const bool fits = x.size() >= 3 && grid.size() == x.size() && grid[0] == x[0] &&
                    grid.back() == static_cast<int64_t>(x.size()) - 2;
  if (!fits) {
    return misfit(call, fmt::format("grid {} does not fit {}", shape_text(grid), shape_text(x)));
  }
  if (std::ranges::count(x.begin() + 2, x.end(), 0) > 0) {
    return misfit(call, fmt::format("data {} have nothing to sample", shape_text(x)));
  }
  Shape shape{x[0], x[1]};
  shape.insert(shape.end(), grid.begin() + 1, grid.end() - 1);
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

/// 2 for every element that enters a result: 2 or 4 along each dimension.
double grid_sample_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  const auto sampling = sampling_of(call);
  if (!sampling || sampling->mode == "nearest") return 0;
  const double taps = sampling->mode == "bilinear" ? 2 : 4;
  return 2 * std::pow(taps, static_cast<double>(rank_of(call, 0) - 2)) *
         static_cast<double>(outputs[0].size());
}

/// An element along one dimension and its weight; position -1 is an element of 0.
struct GridSampleTap {
  int64_t position = -1;
  double weight = 1;
};

struct GridSampleTaps {
  std::array<GridSampleTap, 4> taps;
  size_t count = 0;
  void add(int64_t position, double weight) { taps[count++] = {position, weight}; }
};

/// Mirrored at the outer elements when these are the corners, else at their outer edges.
int64_t reflected(int64_t at, int64_t extent, bool is_aligned) {
  const int64_t edge = is_aligned ? 0 : 1;
  const int64_t period = 2 * (extent - 1 + edge);
  if (period == 0) return 0;
  const int64_t rest = (at % period + period) % period;
  return rest < extent ? rest : period - edge - rest;
}

int64_t padded(const Sampling& sampling, int64_t at, int64_t extent) {
  if (at >= 0 && at < extent) return at;
  if (sampling.padding == "zeros") return -1;
  if (sampling.padding == "border") return std::clamp<int64_t>(at, 0, extent - 1);
  return reflected(at, extent, sampling.is_aligned);
}

/// Keys' kernel with a = -0.75 for the elements at distance 1 + t, t, 1 - t and 2 - t.
std::array<double, 4> cubic_weights(double t) {
  constexpr double kA = -0.75;
  const auto near = [](double d) { return ((kA + 2) * d - (kA + 3)) * d * d + 1; };
  const auto far = [](double d) { return ((kA * d - 5 * kA) * d + 8 * kA) * d - 4 * kA; };
  return {far(1 + t), near(t), near(1 - t), far(2 - t)};
}

/// Where -1 … 1 lies among the elements. NaN lies before the first; far points keep to a range
/// that integers hold.
double grid_sample_coordinate(const Sampling& sampling, double g, int64_t extent) {
  const auto n = static_cast<double>(extent);
  double x = sampling.is_aligned ? (g + 1) / 2 * (n - 1) : ((g + 1) * n - 1) / 2;
  constexpr double kFar = 0x1p50;
  x = std::isnan(x) ? -1 : std::clamp(x, -kFar, kFar);
  if (sampling.mode == "nearest") return std::nearbyint(x);
  const double edge = sampling.is_aligned ? 0 : 0.5;
  const bool is_outside = x < -edge || x > n - 1 + edge;
  return sampling.padding == "border" && is_outside ? std::clamp(x, 0.0, n - 1) : x;
}

GridSampleTaps grid_sample_taps_of(const Sampling& sampling, double g, int64_t extent) {
  const double x = grid_sample_coordinate(sampling, g, extent);
  const auto low = static_cast<int64_t>(std::floor(x));
  const double part = x - std::floor(x);
  const auto at = [&](int64_t position) { return padded(sampling, position, extent); };
  GridSampleTaps taps;
  if (sampling.mode == "nearest") {
    taps.add(at(low), 1);
  } else if (sampling.mode == "bilinear") {
    taps.add(at(low), 1 - part);
    taps.add(at(low + 1), part);
  } else {
    const auto weights = cubic_weights(part);
    for (int64_t i = 0; i < 4; ++i) taps.add(at(low - 1 + i), weights[static_cast<size_t>(i)]);
  }
  return taps;
}

/// The weighted sum over all dimensions from `d` on.
template <class T>
double interpolate(const T* x, const std::vector<GridSampleTaps>& taps, const Integers& strides,
                   size_t d) {
  if (d == taps.size()) return static_cast<double>(*x);
  double sum = 0;
  for (size_t i = 0; i < taps[d].count; ++i) {
    const GridSampleTap& tap = taps[d].taps[i];
    if (tap.position < 0) continue;
    sum += tap.weight * interpolate(x + tap.position * strides[d], taps, strides, d + 1);
  }
  return sum;
}

template <class T>
void sample(const Sampling& sampling, const TensorView& in, const std::vector<double>& grid,
            const TensorView& out) {
  const Shape& shape = in.type.shape;
  const Shape extents(shape.begin() + 2, shape.end());
  const Integers strides = dense_strides(extents);
  const int64_t plane = element_count(extents);
  const int64_t points = element_count({out.type.shape.begin() + 2, out.type.shape.end()});
  std::vector<GridSampleTaps> taps(extents.size());
  for (int64_t point = 0; point < shape[0] * points; ++point) {
    const int64_t batch = point / points;
    // The grid names the innermost dimension first.
    const double* g = grid.data() + (point + 1) * static_cast<int64_t>(taps.size()) - 1;
    for (size_t d = 0; d < taps.size(); ++d)
      taps[d] = grid_sample_taps_of(sampling, *g--, extents[d]);
    for (int64_t channel = 0; channel < shape[1]; ++channel) {
      const int64_t image = batch * shape[1] + channel;
      const T* x = static_cast<const T*>(in.data) + image * plane;
      static_cast<T*>(out.data)[image * points + point % points] =
          static_cast<T>(interpolate(x, taps, strides, 0));
    }
  }
}

Result<void> run_grid_sample(const OperatorCall& call, std::span<const TensorView> inputs,
                             std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Sampling sampling, sampling_of(call));
  OPBENCH_TRY(const std::vector<double> grid, real_values(call, inputs[1]));
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    sample<decltype(zero)>(sampling, inputs[0], grid, outputs[0]);
  });
}

Attributes grid_sample_normal_form(const OperatorCall& call) {
  Attributes result;
  const auto sampling = sampling_of(call);
  if (!sampling) return result;
  if (sampling->is_aligned) result["align_corners"] = int64_t{1};
  if (sampling->mode != "bilinear") result["mode"] = sampling->mode;
  if (sampling->padding != "zeros") result["padding_mode"] = sampling->padding;
  return result;
}

/// Opset 16 has other names for the modes of opset 20.
Node grid_sample_modern_form(const OperatorCall& call, std::map<std::string, Tensor>&) {
  Node node = *call.node;
  if (const auto sampling = sampling_of(call)) node.attributes["mode"] = sampling->mode;
  return node;
}

}  // namespace

OperatorDef grid_sample_operator() {
  return {
      .name = "grid_sample",
      .summary = "Elements of images at the points of a grid, interpolated",
      .onnx_types = {"GridSample"},
      .infer = infer_grid_sample,
      .flops = grid_sample_flops,
      .run = run_grid_sample,
      .normal_form = grid_sample_normal_form,
      .attributes = {{"align_corners", int64_t{0}},
                     {"mode", std::string("bilinear")},
                     {"padding_mode", std::string("zeros")}},
      .modern_form = grid_sample_modern_form,
  };
}

}  // namespace opbench
