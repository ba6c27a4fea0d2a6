#include "model/operators/resize/resize_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace opbench {
namespace {

enum ResizeRequestInput : size_t { kResizeRequestData, kRoi, kResizeRequestScales, kSizes };

/// The axes that scales, sizes and the region of interest are about, in their order.
Result<Integers> resized_axes(const OperatorCall& call) {
  const int64_t rank = rank_of(call, kResizeRequestData);
  Integers axes = ints_attribute(*call.node, "axes", {});
  if (axes.empty()) {
    for (int64_t i = 0; i < rank; ++i) axes.push_back(i);
  }
  std::vector<bool> is_taken(static_cast<size_t>(rank));
  for (int64_t& axis : axes) {
    OPBENCH_TRY(axis, axis_of(call, axis, rank));
    if (is_taken[axis]) return misfit(call, fmt::format("axis {} is given twice", axis));
    is_taken[axis] = true;
  }
  return axes;
}

Result<void> set_scales(const OperatorCall& call, const Integers& axes,
                        const std::vector<float>& scales, ResizeRequest& request) {
  if (scales.size() != axes.size()) {
    return misfit(call, fmt::format("{} scales do not fit {} axes", scales.size(), axes.size()));
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    ResizeAxis& axis = request.axes[static_cast<size_t>(axes[i])];
    axis.scale = static_cast<double>(scales[i]);
    const double extent = std::floor(static_cast<double>(axis.in) * axis.scale);
    if (!(extent < 0x1p47)) {
      return misfit(call,
                    fmt::format("scale {} makes an extent that cannot be addressed", scales[i]));
    }
    axis.out = static_cast<int64_t>(extent);
  }
  return {};
}

double ratio_of(const ResizeAxis& axis) {
  return static_cast<double>(axis.out) / static_cast<double>(axis.in);
}

/// One scale for all axes: the smallest one (not_larger) or the largest (not_smaller).
void keep_aspect_ratio(const Integers& axes, bool is_larger, ResizeRequest& request) {
  double scale = ratio_of(request.axes[static_cast<size_t>(axes[0])]);
  for (const int64_t axis : axes) {
    const double ratio = ratio_of(request.axes[static_cast<size_t>(axis)]);
    scale = is_larger ? std::max(scale, ratio) : std::min(scale, ratio);
  }
  for (const int64_t at : axes) {
    ResizeAxis& axis = request.axes[static_cast<size_t>(at)];
    axis.scale = scale;
    axis.out = static_cast<int64_t>(std::floor(scale * static_cast<double>(axis.in) + 0.5));
  }
}

Result<void> set_sizes(const OperatorCall& call, const Integers& axes, ResizeRequest& request) {
  OPBENCH_TRY(const Integers sizes, known_integers(call, kSizes, "sizes"));
  if (sizes.size() != axes.size()) {
    return misfit(call, fmt::format("{} sizes do not fit {} axes", sizes.size(), axes.size()));
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    ResizeAxis& axis = request.axes[static_cast<size_t>(axes[i])];
    axis.out = sizes[i];
    axis.scale = ratio_of(axis);
  }
  OPBENCH_TRY(const std::string policy,
              choice_attribute(call, "keep_aspect_ratio_policy", "stretch",
                               {"stretch", "not_larger", "not_smaller"}));
  if (policy != "stretch" && !axes.empty()) {
    keep_aspect_ratio(axes, policy == "not_smaller", request);
  }
  return {};
}

size_t scales_position(const OperatorCall& call) {
  const bool is_second = call.node->type == "Upsample" || call.inputs.size() == 2;
  return is_second ? size_t{1} : size_t{kResizeRequestScales};
}

/// Of an image's height and width, as opset 6 and below say it.
std::vector<float> image_scales(const OperatorCall& call) {
  return {1, 1, float_attribute(*call.node, "height_scale", 1),
          float_attribute(*call.node, "width_scale", 1)};
}

/// From scales (operand or attributes) or from sizes.
Result<void> read_extents(const OperatorCall& call, const Integers& axes, ResizeRequest& request) {
  std::vector<float> scales;
  const size_t position = scales_position(call);
  if (call.node->attributes.contains("scales")) {
    const auto it = call.node->attributes.find("scales");
    if (const auto* list = std::get_if<std::vector<float>>(&it->second)) scales = *list;
  } else if (call.node->attributes.contains("height_scale")) {
    scales = image_scales(call);
  } else if (has_input(call, position)) {
    OPBENCH_TRY(scales, known_floats(call, position, "scales"));
  }
  if (scales.empty() && has_input(call, kSizes)) return set_sizes(call, axes, request);
  return set_scales(call, axes, scales, request);
}

Result<void> read_roi(const OperatorCall& call, const Integers& axes, ResizeRequest& request) {
  if (request.coordinates != "tf_crop_and_resize") return {};
  OPBENCH_TRY(const std::vector<float> roi, known_floats(call, kRoi, "region of interest"));
  if (roi.size() != 2 * axes.size()) {
    return misfit(call, fmt::format("a region of interest of {} values does not fit {} axes",
                                    roi.size(), axes.size()));
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    ResizeAxis& axis = request.axes[static_cast<size_t>(axes[i])];
    axis.roi_begin = static_cast<double>(roi[i]);
    axis.roi_end = static_cast<double>(roi[axes.size() + i]);
  }
  return {};
}

Result<void> read_modes(const OperatorCall& call, ResizeRequest& request) {
  const bool is_old = is_old_resize(call);
  const std::string mode = string_attribute(*call.node, "mode", "nearest");
  if (call.node->type == "Upsample" && (mode == "bilinear" || mode == "trilinear")) {
    request.mode = "linear";  // its name before opset 9
  } else {
    OPBENCH_TRY(request.mode,
                choice_attribute(call, "mode", "nearest", {"nearest", "linear", "cubic"}));
  }
  OPBENCH_TRY(
      request.coordinates,
      choice_attribute(call, "coordinate_transformation_mode", is_old ? "asymmetric" : "half_pixel",
                       {"half_pixel", "half_pixel_symmetric", "asymmetric", "align_corners",
                        "pytorch_half_pixel", "tf_half_pixel_for_nn", "tf_crop_and_resize"}));
  OPBENCH_TRY(request.rounding,
              choice_attribute(call, "nearest_mode", is_old ? "floor" : "round_prefer_floor",
                               {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}));
  request.cubic_a = float_attribute(*call.node, "cubic_coeff_a", -0.75F);
  request.extrapolation = float_attribute(*call.node, "extrapolation_value", 0.0F);
  request.excludes_outside = int_attribute(*call.node, "exclude_outside", 0) != 0;
  request.is_antialiased = int_attribute(*call.node, "antialias", 0) != 0;
  return {};
}

/// Scales, or sizes, and the region of interest of every axis as operands.
void set_full_operands(const OperatorCall& call, const ResizeRequest& request, Node& node,
                       std::map<std::string, Tensor>& constants) {
  const bool has_sizes = node.inputs.size() > kSizes && !node.inputs[kSizes].empty();
  const auto rank = static_cast<int64_t>(request.axes.size());
  std::vector<float> scales;
  std::vector<float> roi(2 * request.axes.size());
  Integers sizes;
  for (size_t i = 0; i < request.axes.size(); ++i) {
    scales.push_back(static_cast<float>(request.axes[i].scale));
    sizes.push_back(request.axes[i].out);
    roi[i] = static_cast<float>(request.axes[i].roi_begin);
    roi[request.axes.size() + i] = static_cast<float>(request.axes[i].roi_end);
  }
  node.inputs.resize(1);
  if (request.coordinates == "tf_crop_and_resize" && has_input(call, kRoi)) {
    set_constant_input(node, kRoi, Tensor::of<float>(DataType::kFloat32, {2 * rank}, roi),
                       constants);
  }
  if (has_sizes) {
    set_constant_input(node, kSizes, integer_tensor(sizes), constants);
  } else {
    set_constant_input(node, kResizeRequestScales,
                       Tensor::of<float>(DataType::kFloat32, {rank}, scales), constants);
  }
}

}  // namespace

bool is_old_resize(const OperatorCall& call) {
  return call.node->type == "Upsample" || call.opset < 11;
}

Result<ResizeRequest> resize_request(const OperatorCall& call) {
  ResizeRequest request;
  for (const int64_t extent : shape_of(call, kResizeRequestData)) {
    request.axes.push_back({.in = extent, .out = extent});
  }
  OPBENCH_CHECK(read_modes(call, request));
  OPBENCH_TRY(const Integers axes, resized_axes(call));
  OPBENCH_CHECK(read_extents(call, axes, request));
  OPBENCH_CHECK(read_roi(call, axes, request));
  return request;
}

Node modern_resize(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  const auto request = resize_request(call);
  const bool is_old = is_old_resize(call);
  const std::string policy = string_attribute(node, "keep_aspect_ratio_policy", "stretch");
  const bool has_axes = node.attributes.contains("axes") && policy == "stretch";
  if (!request || (!is_old && !has_axes)) return node;
  if (is_old) {
    node.type = "Resize";
    node.attributes = {{"mode", request->mode},
                       {"coordinate_transformation_mode", request->coordinates},
                       {"nearest_mode", request->rounding}};
  }
  node.attributes.erase("axes");
  set_full_operands(call, *request, node, constants);
  return node;
}

}  // namespace opbench
