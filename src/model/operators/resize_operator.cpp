#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/operators/elements/element_type.h"
#include "model/operators/resize/resize_request.h"
#include "model/operators/resize/resize_taps.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_resize(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 4));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_TRY(const ResizeRequest request, resize_request(call));
  Shape shape;
  for (const ResizeAxis& axis : request.axes) shape.push_back(axis.out);
  for (const int64_t extent : shape) {
    if (extent < 1) return misfit(call, fmt::format("gives shape {}", shape_text(shape)));
  }
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

/// Two for every neighbour of a result, over the axes that change; none where elements are moved.
double resize_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  const auto request = resize_request(call);
  if (!request || request->mode == "nearest") return 0;
  double neighbours = 1;
  for (const ResizeAxis& axis : request->axes) {
    if (axis.in == axis.out) continue;
    neighbours *= std::ceil(2 * reach_of(request->mode) / filter_scale(*request, axis));
  }
  return 2 * neighbours * static_cast<double>(outputs[0].size());
}

/// Integers lose their fraction, but not what rounding took from a whole result.
template <class T>
T stored(double value) {
  if constexpr (is_real_v<T>) {
    return static_cast<T>(value);
  } else {
    const double whole = std::round(value);
    const double kept = std::abs(value - whole) < 1e-6 ? whole : std::trunc(value);
    if (kept <= static_cast<double>(std::numeric_limits<T>::lowest())) {
      return std::numeric_limits<T>::lowest();
    }
    if (kept >= static_cast<double>(std::numeric_limits<T>::max())) {
      return std::numeric_limits<T>::max();
    }
    return static_cast<T>(kept);
  }
}

/// Resizes one axis of [outer, axis.in, inner].
template <class A>
std::vector<A> resize_axis(const ResizeRequest& request, const ResizeAxis& axis,
                           const std::vector<A>& x, int64_t outer, int64_t inner) {
  std::vector<Taps> taps;
  for (int64_t i = 0; i < axis.out; ++i) taps.push_back(taps_of(request, axis, i));
  std::vector<A> y;
  y.reserve(static_cast<size_t>(outer * axis.out * inner));
  for (int64_t o = 0; o < outer; ++o) {
    for (const Taps& row : taps) {
      for (int64_t i = 0; i < inner; ++i) {
        const A* column = x.data() + o * axis.in * inner + i;
        if (row.size() == 1) {
          y.push_back(column[row[0].at * inner]);
          continue;
        }
        double sum = row.empty() ? request.extrapolation : 0;
        for (const Tap& tap : row) sum += tap.weight * static_cast<double>(column[tap.at * inner]);
        y.push_back(stored<A>(sum));
      }
    }
  }
  return y;
}

template <class A>
std::vector<A> resize(const ResizeRequest& request, std::vector<A> values) {
  Shape shape;
  for (const ResizeAxis& axis : request.axes) shape.push_back(axis.in);
  for (size_t i = 0; i < shape.size(); ++i) {
    const ResizeAxis& axis = request.axes[i];
    if (is_kept(request, axis)) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    values = resize_axis(request, axis, values, element_count({shape.begin(), shape.begin() + at}),
                         element_count({shape.begin() + at + 1, shape.end()}));
    shape[i] = axis.out;
  }
  return values;
}

/// Elements that are only moved keep their type; sums run in double over all axes.
Result<void> run_resize(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  OPBENCH_TRY(const ResizeRequest request, resize_request(call));
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto x = inputs[0].as<T>();
    const auto y = outputs[0].as<T>();
    if (request.mode == "nearest") {
      std::ranges::copy(resize(request, std::vector<T>(x.begin(), x.end())), y.begin());
      return;
    }
    std::vector<double> wide;
    for (const T value : x) wide.push_back(static_cast<double>(value));
    std::ranges::transform(resize(request, std::move(wide)), y.begin(), stored<T>);
  });
}

int64_t resize_least_opset(const Node& node) {
  const auto has = [&](const char* name) { return node.attributes.contains(name); };
  const std::string mode = string_attribute(node, "coordinate_transformation_mode", "half_pixel");
  if (mode == "half_pixel_symmetric") return 19;
  return has("antialias") || has("axes") || has("keep_aspect_ratio_policy") ? 18 : 1;
}

}  // namespace

OperatorDef resize_operator() {
  return {
      .name = "resize",
      .summary = "Axes stretched or shrunk: nearest, linear or cubic",
      .onnx_types = {"Resize", "Upsample"},
      .infer = infer_resize,
      .flops = resize_flops,
      .run = run_resize,
      .attributes = {{"antialias", int64_t{0}},
                     {"axes", Integers{}},
                     {"coordinate_transformation_mode", std::string("half_pixel")},
                     {"cubic_coeff_a", -0.75F},
                     {"exclude_outside", int64_t{0}},
                     {"extrapolation_value", 0.0F},
                     {"keep_aspect_ratio_policy", std::string("stretch")},
                     {"mode", std::string("nearest")},
                     {"nearest_mode", std::string("round_prefer_floor")}},
      .parameters = {1, 2, 3},
      .least_opset = resize_least_opset,
      .modern_form = modern_resize,
  };
}

}  // namespace opbench
