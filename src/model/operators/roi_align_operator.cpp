#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/operators/axes/indices.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/real_values.h"

namespace opbench {
namespace {

enum RoiAlignInput : size_t { kRoiAlignData, kRegions, kBatches };

/// Of a bin along one axis.
constexpr int64_t kMostSamples = 1 << 15;

/// Opset 10 has no attribute for this, and computes as output_half_pixel.
Result<bool> is_half_pixel(const OperatorCall& call) {
  if (call.opset < 16) return false;
  OPBENCH_TRY(const std::string mode,
              choice_attribute(call, "coordinate_transformation_mode", "half_pixel",
                               {"half_pixel", "output_half_pixel"}));
  return mode == "half_pixel";
}

Result<void> check_roi_align_attributes(const OperatorCall& call) {
  OPBENCH_CHECK(choice_attribute(call, "mode", "avg", {"avg", "max"}));
  OPBENCH_CHECK(is_half_pixel(call));
  for (const char* name : {"output_height", "output_width"}) {
    if (const int64_t extent = int_attribute(*call.node, name, 1); extent < 1) {
      return misfit(call, fmt::format("{} {} is below 1", name, extent));
    }
  }
  if (const int64_t ratio = int_attribute(*call.node, "sampling_ratio", 0);
      ratio < 0 || ratio > kMostSamples) {
    return misfit(call,
                  fmt::format("sampling_ratio {} is not within 0 to {}", ratio, kMostSamples));
  }
  return {};
}

/// X[batches, channels, H, W], regions[count, 4], batch indices[count]
/// -> [count, channels, output_height, output_width].
Result<std::vector<TensorType>> infer_roi_align(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 3));
  OPBENCH_CHECK(require_rank(call, kRoiAlignData, 4, 4));
  OPBENCH_CHECK(require_rank(call, kRegions, 2, 2));
  OPBENCH_CHECK(require_real(call, kRoiAlignData));
  OPBENCH_CHECK(require_real(call, kRegions));
  OPBENCH_CHECK(check_roi_align_attributes(call));
  const Shape& x = shape_of(call, kRoiAlignData);
  const Shape& regions = shape_of(call, kRegions);
  if (regions[1] != 4 || shape_of(call, kBatches) != Shape{regions[0]}) {
    return misfit(call, fmt::format("regions {} and batch indices {} are not of 4 corners and 1",
                                    shape_text(regions), shape_text(shape_of(call, kBatches))));
  }
  if (x[2] < 1 || x[3] < 1) return misfit(call, fmt::format("data {} are empty", shape_text(x)));
  return std::vector<TensorType>{{call.inputs[kRoiAlignData]->data_type,
                                  {regions[0], x[1], int_attribute(*call.node, "output_height", 1),
                                   int_attribute(*call.node, "output_width", 1)}}};
}

/// 8 for the four weighted elements of each sample; one sample an axis is assumed where its number
/// follows from the region.
double roi_align_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  const auto ratio =
      static_cast<double>(std::max<int64_t>(1, int_attribute(*call.node, "sampling_ratio", 0)));
  return 8 * ratio * ratio * static_cast<double>(outputs[0].size());
}

/// A region along one axis: `bins` of `size` from `start`, each with `samples`.
struct RegionAxis {
  int64_t bins = 1;
  double start = 0;
  double size = 0;
  int64_t samples = 1;
};

struct Geometry {
  double scale = 1;
  bool is_half_pixel = true;
  int64_t ratio = 0;
};

RegionAxis region_axis(const Geometry& geometry, double low, double high, int64_t bins) {
  const double shift = geometry.is_half_pixel ? 0.5 : 0;
  const double start = low * geometry.scale - shift;
  double length = high * geometry.scale - shift - start;
  if (!geometry.is_half_pixel) length = std::max(length, 1.0);
  const double size = length / static_cast<double>(bins);
  const double most = static_cast<double>(kMostSamples);
  const double wanted = size > 0 ? std::ceil(std::min(size, most)) : 0;
  return {bins, start, size, geometry.ratio > 0 ? geometry.ratio : static_cast<int64_t>(wanted)};
}

/// The two elements around a coordinate, and the weight of the second; nothing beyond one element
/// outside.
struct Neighbours {
  int64_t low = 0;
  int64_t high = 0;
  double part = 0;
  bool is_inside = false;
};

Neighbours neighbours_of(const RegionAxis& axis, int64_t bin, int64_t sample, int64_t extent) {
  const double within = (static_cast<double>(sample) + 0.5) / static_cast<double>(axis.samples);
  const double x = axis.start + axis.size * (static_cast<double>(bin) + within);
  if (!(x >= -1 && x <= static_cast<double>(extent))) return {};
  const double at = std::clamp(x, 0.0, static_cast<double>(extent - 1));
  const auto low = static_cast<int64_t>(at);
  return {low, std::min(low + 1, extent - 1), at - static_cast<double>(low), true};
}

/// The four elements around a sample, weighted.
template <class T>
std::array<double, 4> weighted(const T* plane, int64_t width, const Neighbours& y,
                               const Neighbours& x) {
  if (!y.is_inside || !x.is_inside) return {};
  const auto at = [&](int64_t row, int64_t column) {
    return static_cast<double>(plane[row * width + column]);
  };
  return {(1 - y.part) * (1 - x.part) * at(y.low, x.low), (1 - y.part) * x.part * at(y.low, x.high),
          y.part * (1 - x.part) * at(y.high, x.low), y.part * x.part * at(y.high, x.high)};
}

struct Region {
  RegionAxis y;
  RegionAxis x;
  bool is_max = false;
};

/// Mode max takes the largest weighted element, not the largest interpolated sample: so does the
/// reference implementation of ONNX, and so do its conformance tests.
template <class T>
double bin_value(const T* plane, const Shape& shape, const Region& region, int64_t row,
                 int64_t column) {
  double sum = 0;
  double largest = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < region.y.samples; ++i) {
    const Neighbours y = neighbours_of(region.y, row, i, shape[2]);
    for (int64_t j = 0; j < region.x.samples; ++j) {
      const Neighbours x = neighbours_of(region.x, column, j, shape[3]);
      for (const double value : weighted(plane, shape[3], y, x)) {
        sum += value;
        largest = std::max(largest, value);
      }
    }
  }
  const int64_t samples = region.y.samples * region.x.samples;
  if (samples == 0) return 0;
  return region.is_max ? largest : sum / static_cast<double>(samples);
}

template <class T>
void align(const TensorView& in, const std::vector<Region>& regions, const Integers& batches,
           const TensorView& out) {
  const Shape& shape = in.type.shape;
  const int64_t plane = shape[2] * shape[3];
  T* y = static_cast<T*>(out.data);
  for (size_t r = 0; r < regions.size(); ++r) {
    for (int64_t channel = 0; channel < shape[1]; ++channel) {
      const T* x = static_cast<const T*>(in.data) + (batches[r] * shape[1] + channel) * plane;
      for (int64_t row = 0; row < regions[r].y.bins; ++row) {
        for (int64_t column = 0; column < regions[r].x.bins; ++column) {
          *y++ = static_cast<T>(bin_value(x, shape, regions[r], row, column));
        }
      }
    }
  }
}

Result<void> run_roi_align(const OperatorCall& call, std::span<const TensorView> inputs,
                           std::span<const TensorView> outputs) {
  OPBENCH_TRY(const std::vector<double> corners, real_values(call, inputs[kRegions]));
  OPBENCH_TRY(const Integers batches, index_values(call, inputs[kBatches]));
  for (const int64_t batch : batches) {
    const int64_t extent = inputs[kRoiAlignData].type.shape[0];
    if (batch < 0) return misfit(call, fmt::format("batch index {} is below 0", batch));
    OPBENCH_CHECK(index_within(call, batch, extent));
  }
  Geometry geometry{.scale = static_cast<double>(float_attribute(*call.node, "spatial_scale", 1)),
                    .ratio = int_attribute(*call.node, "sampling_ratio", 0)};
  OPBENCH_TRY(geometry.is_half_pixel, is_half_pixel(call));
  const bool is_max = string_attribute(*call.node, "mode", "avg") == "max";
  const Shape& shape = outputs[0].type.shape;
  std::vector<Region> regions;
  for (size_t i = 0; i < corners.size(); i += 4) {
    regions.push_back({region_axis(geometry, corners[i + 1], corners[i + 3], shape[2]),
                       region_axis(geometry, corners[i], corners[i + 2], shape[3]), is_max});
  }
  return with_element(call, inputs[kRoiAlignData].type.data_type, [&](auto zero) {
    align<decltype(zero)>(inputs[kRoiAlignData], regions, batches, outputs[0]);
  });
}

/// Writes down what opset 10 implies.
Node roi_align_modern_form(const OperatorCall& call, std::map<std::string, Tensor>&) {
  Node node = *call.node;
  if (call.opset < 16) {
    node.attributes["coordinate_transformation_mode"] = std::string("output_half_pixel");
  }
  return node;
}

}  // namespace

OperatorDef roi_align_operator() {
  return {
      .name = "roi_align",
      .summary = "Regions of images, sampled between pixels and pooled to one size",
      .onnx_types = {"RoiAlign"},
      .infer = infer_roi_align,
      .flops = roi_align_flops,
      .run = run_roi_align,
      .attributes = {{"coordinate_transformation_mode", std::string("half_pixel")},
                     {"mode", std::string("avg")},
                     {"output_height", int64_t{1}},
                     {"output_width", int64_t{1}},
                     {"sampling_ratio", int64_t{0}},
                     {"spatial_scale", 1.0F}},
      .domains = {{"RoiAlign", kRegions, {0, 8}}},
      .modern_form = roi_align_modern_form,
  };
}

}  // namespace opbench
