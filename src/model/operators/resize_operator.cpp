#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/operators/element_type.h"
#include "model/operators/strided.h"

namespace opbench {
namespace {

/// Attributes and operands of both Resize and the older Upsample, whose coordinates are asymmetric.
struct Request {
  std::string mode = "nearest";
  std::string coordinates = "half_pixel";
  std::string rounding = "round_prefer_floor";
  std::vector<float> scales;
  Shape shape;
};

size_t scales_position(const OperatorCall& call) {
  return call.node->type == "Upsample" || call.inputs.size() == 2 ? 1 : 2;
}

/// Fills `request.scales` and `request.shape` from scales (operand or attribute) or from sizes.
Result<void> read_extents(const OperatorCall& call, Request& request) {
  const Shape& in = shape_of(call, 0);
  const size_t position = scales_position(call);
  if (call.node->attributes.contains("scales")) {
    const auto it = call.node->attributes.find("scales");
    if (const auto* list = std::get_if<std::vector<float>>(&it->second)) request.scales = *list;
  } else if (has_input(call, position)) {
    OPBENCH_TRY(request.scales, known_floats(call, position, "scales"));
  }
  if (request.scales.empty() && has_input(call, 3)) {
    OPBENCH_TRY(request.shape, known_integers(call, 3, "sizes"));
    if (request.shape.size() != in.size()) return misfit(call, "sizes do not fit the rank");
    for (size_t i = 0; i < in.size(); ++i) {
      request.scales.push_back(static_cast<float>(request.shape[i]) / static_cast<float>(in[i]));
    }
    return {};
  }
  if (request.scales.size() != in.size()) return misfit(call, "scales do not fit the rank");
  for (size_t i = 0; i < in.size(); ++i) {
    const double extent = std::floor(static_cast<double>(in[i]) * request.scales[i]);
    if (!(extent < 0x1p47)) {
      return misfit(call, fmt::format("scale {} makes an extent that cannot be addressed",
                                      request.scales[i]));
    }
    request.shape.push_back(static_cast<int64_t>(extent));
  }
  return {};
}

Result<Request> request_of(const OperatorCall& call) {
  Request request;
  OPBENCH_TRY(request.mode, choice_attribute(call, "mode", "nearest", {"nearest", "linear"}));
  const bool is_old = call.node->type == "Upsample" || call.opset < 11;
  OPBENCH_TRY(
      request.coordinates,
      choice_attribute(call, "coordinate_transformation_mode", is_old ? "asymmetric" : "half_pixel",
                       {"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"}));
  OPBENCH_TRY(request.rounding,
              choice_attribute(call, "nearest_mode", is_old ? "floor" : "round_prefer_floor",
                               {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}));
  OPBENCH_CHECK(read_extents(call, request));
  return request;
}

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 4));
  for (const char* name : {"antialias", "axes", "keep_aspect_ratio_policy"}) {
    if (call.node->attributes.contains(name)) {
      return misfit(call, fmt::format("attribute {} is not supported", name));
    }
  }
  OPBENCH_TRY(const Request request, request_of(call));
  for (const int64_t extent : request.shape) {
    if (extent < 1) return misfit(call, fmt::format("gives shape {}", shape_text(request.shape)));
  }
  return std::vector<TensorType>{{call.inputs[0]->data_type, request.shape}};
}

/// Two for each of the 2^k neighbours when k axes are interpolated, else one.
double flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  if (string_attribute(*call.node, "mode", "nearest") == "nearest") return 0;
  double neighbours = 1;
  for (size_t i = 0; i < outputs[0].shape.size(); ++i) {
    if (outputs[0].shape[i] != shape_of(call, 0)[i]) neighbours *= 2;
  }
  return 2 * neighbours * static_cast<double>(outputs[0].size());
}

/// The input coordinate of output position `at`.
double coordinate(const Request& request, int64_t at, double scale, int64_t in, int64_t out) {
  const auto position = static_cast<double>(at);
  if (request.coordinates == "asymmetric") return position / scale;
  if (request.coordinates == "align_corners") {
    return out == 1 ? 0 : position * static_cast<double>(in - 1) / static_cast<double>(out - 1);
  }
  if (request.coordinates == "pytorch_half_pixel" && out == 1) return 0;
  return (position + 0.5) / scale - 0.5;
}

int64_t nearest(const Request& request, double x) {
  if (request.rounding == "floor") return static_cast<int64_t>(std::floor(x));
  if (request.rounding == "ceil") return static_cast<int64_t>(std::ceil(x));
  if (request.rounding == "round_prefer_ceil") return static_cast<int64_t>(std::floor(x + 0.5));
  return static_cast<int64_t>(std::ceil(x - 0.5));
}

/// Where one output position of one axis reads: `low` and `high` with weight `part` on `high`.
struct Sample {
  int64_t low = 0;
  int64_t high = 0;
  double part = 0;
};

std::vector<Sample> samples_of(const Request& request, size_t axis, int64_t in) {
  std::vector<Sample> samples;
  const int64_t out = request.shape[axis];
  for (int64_t i = 0; i < out; ++i) {
    const double x = coordinate(request, i, request.scales[axis], in, out);
    const auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at, 0, in - 1); };
    if (request.mode == "nearest" || in == out) {
      const int64_t at = in == out ? i : clamp(nearest(request, x));
      samples.push_back({at, at, 0});
      continue;
    }
    const auto low = static_cast<int64_t>(std::floor(x));
    samples.push_back({clamp(low), clamp(low + 1), x - static_cast<double>(low)});
  }
  return samples;
}

/// Resizes one axis of [outer, in, inner] to `samples.size()`.
template <class T>
std::vector<T> resize_axis(const std::vector<T>& x, int64_t outer, int64_t in, int64_t inner,
                           const std::vector<Sample>& samples) {
  std::vector<T> y;
  y.reserve(static_cast<size_t>(outer * inner) * samples.size());
  for (int64_t o = 0; o < outer; ++o) {
    for (const Sample& s : samples) {
      const T* low = x.data() + (o * in + s.low) * inner;
      const T* high = x.data() + (o * in + s.high) * inner;
      for (int64_t i = 0; i < inner; ++i) {
        const double value = s.part == 0 ? static_cast<double>(low[i])
                                         : (1 - s.part) * static_cast<double>(low[i]) +
                                               s.part * static_cast<double>(high[i]);
        y.push_back(static_cast<T>(value));
      }
    }
  }
  return y;
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Request request, request_of(call));
  Shape shape = inputs[0].type.shape;
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto x = inputs[0].as<T>();
    std::vector<T> values(x.begin(), x.end());
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (request.shape[axis] == shape[axis]) continue;
      const auto at = static_cast<std::ptrdiff_t>(axis);
      values = resize_axis(values, element_count({shape.begin(), shape.begin() + at}), shape[axis],
                           element_count({shape.begin() + at + 1, shape.end()}),
                           samples_of(request, axis, shape[axis]));
      shape[axis] = request.shape[axis];
    }
    std::ranges::copy(values, outputs[0].as<T>().begin());
  });
}

/// Resize with scales at operand 3 and the coordinates that the older forms imply.
Node modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  const auto request = request_of(call);
  const bool is_old = node.type == "Upsample" || call.opset < 11;
  if (!request || !is_old) return node;
  node.type = "Resize";
  node.attributes = {{"mode", request->mode},
                     {"coordinate_transformation_mode", request->coordinates},
                     {"nearest_mode", request->rounding}};
  node.inputs.resize(1);
  const auto count = static_cast<int64_t>(request->scales.size());
  set_constant_input(node, 2, Tensor::of<float>(DataType::kFloat32, {count}, request->scales),
                     constants);
  return node;
}

}  // namespace

OperatorDef resize_operator() {
  return {
      .name = "resize",
      .summary = "Axes stretched or shrunk, nearest or linear",
      .onnx_types = {"Resize", "Upsample"},
      .infer = infer,
      .flops = flops,
      .run = run,
      .attributes = {{"coordinate_transformation_mode", std::string("half_pixel")},
                     {"mode", std::string("nearest")},
                     {"nearest_mode", std::string("round_prefer_floor")}},
      .parameters = {1, 2, 3},
      .modern_form = modern_form,
  };
}

}  // namespace opbench
