#include "model/operators/resize/resize_taps.h"

#include <algorithm>
#include <cmath>

namespace opbench {
namespace {

/// The formula of tf_crop_and_resize: the region's ends are the result's ends.
double cropped_coordinate(const ResizeAxis& axis, double position) {
  const auto last = static_cast<double>(axis.in - 1);
  if (axis.out == 1) return 0.5 * (axis.roi_begin + axis.roi_end) * last;
  const double step = (axis.roi_end - axis.roi_begin) * last / static_cast<double>(axis.out - 1);
  return axis.roi_begin * last + position * step;
}

/// The extent of the result before it was rounded down to a whole number. A scale that is a float's
/// rounding away from the ratio of whole extents stands for that ratio.
double resized_extent(const ResizeAxis& axis) {
  constexpr double kRounding = 1e-6;
  const auto out = static_cast<double>(axis.out);
  const double extent = axis.scale * static_cast<double>(axis.in);
  return std::abs(extent - out) <= kRounding * out ? out : extent;
}

/// The input coordinate of output position `at`, by the formulas of ONNX Resize.
double resize_taps_coordinate(const std::string& mode, const ResizeAxis& axis, int64_t at) {
  const auto position = static_cast<double>(at);
  const auto in = static_cast<double>(axis.in);
  const auto out = static_cast<double>(axis.out);
  if (mode == "asymmetric") return position / axis.scale;
  if (mode == "align_corners") {
    return axis.out == 1 ? 0 : position * (in - 1) / (resized_extent(axis) - 1);
  }
  if (mode == "tf_crop_and_resize") return cropped_coordinate(axis, position);
  if (mode == "tf_half_pixel_for_nn") return (position + 0.5) / axis.scale;
  if (mode == "pytorch_half_pixel" && axis.out == 1) return 0;
  const double half_pixel = (position + 0.5) / axis.scale - 0.5;
  if (mode != "half_pixel_symmetric") return half_pixel;
  return half_pixel + in / 2 * (1 - out / (axis.scale * in));
}

int64_t nearest(const std::string& rounding, double x) {
  if (rounding == "floor") return static_cast<int64_t>(std::floor(x));
  if (rounding == "ceil") return static_cast<int64_t>(std::ceil(x));
  if (rounding == "round_prefer_ceil") return static_cast<int64_t>(std::floor(x + 0.5));
  return static_cast<int64_t>(std::ceil(x - 0.5));
}

/// Keys' cubic convolution kernel, or the triangle of linear interpolation.
double weight_at(const ResizeRequest& request, double distance) {
  const double d = std::abs(distance);
  if (request.mode == "linear") return std::max(0.0, 1 - d);
  const double a = request.cubic_a;
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((d - 5) * d + 8) * a * d - 4 * a : 0;
}

Taps weighted_taps(const ResizeRequest& request, const ResizeAxis& axis, double x) {
  const double scale = filter_scale(request, axis);
  const double reach = reach_of(request.mode) / scale;
  Taps taps;
  double sum = 0;
  for (auto at = static_cast<int64_t>(std::ceil(x - reach)); static_cast<double>(at) <= x + reach;
       ++at) {
    const double weight = weight_at(request, (static_cast<double>(at) - x) * scale);
    const bool is_outside = at < 0 || at >= axis.in;
    if (weight == 0 || (is_outside && request.excludes_outside)) continue;
    taps.push_back({std::clamp<int64_t>(at, 0, axis.in - 1), weight});
    sum += weight;
  }
  const bool is_partial = request.is_antialiased || request.excludes_outside;
  for (Tap& tap : taps) tap.weight /= is_partial ? sum : 1;
  return taps;
}

}  // namespace

double reach_of(const std::string& mode) { return mode == "cubic" ? 2 : 1; }

double filter_scale(const ResizeRequest& request, const ResizeAxis& axis) {
  return request.is_antialiased ? std::min(axis.scale, 1.0) : 1;
}

bool crops(const ResizeRequest& request) { return request.coordinates == "tf_crop_and_resize"; }

Taps taps_of(const ResizeRequest& request, const ResizeAxis& axis, int64_t i) {
  const double x = resize_taps_coordinate(request.coordinates, axis, i);
  if (crops(request) && (x < 0 || x > static_cast<double>(axis.in - 1))) return {};
  if (request.mode != "nearest") return weighted_taps(request, axis, x);
  return {{std::clamp<int64_t>(nearest(request.rounding, x), 0, axis.in - 1)}};
}

bool is_kept(const ResizeRequest& request, const ResizeAxis& axis) {
  return axis.in == axis.out && axis.scale == 1 && !crops(request);
}

}  // namespace opbench
