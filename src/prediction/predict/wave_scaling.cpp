#include "prediction/predict/wave_scaling.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace opbench {
namespace {

/// Elements of work in a task, as kernels of rows cut them; less is no parallel loop.
constexpr double kTaskElements = 16384;

float value_of(const UnitFeatures& features, std::string_view name) {
  static const std::vector<std::string>& names = unit_feature_names();
  const auto found = std::ranges::find(names, name);
  const auto index = static_cast<size_t>(found - names.begin());
  return index < features.values.size() ? features.values[index] : 0;
}

/// Of a feature that is log2(1 + x).
double number_of(const UnitFeatures& features, std::string_view name) {
  return std::round(std::exp2(static_cast<double>(value_of(features, name))) - 1);
}

/// What the busiest thread has to do, as a multiple of an even share.
double unevenness(double tasks, int threads) {
  const auto width = static_cast<double>(std::max(threads, 1));
  return std::ceil(tasks / width) * width / tasks;
}

double wave_scaling_ratio_of(double to, double from) { return to > 0 && from > 0 ? to / from : 1; }

/// Habitat's equation 2, at the ceilings of the new configuration.
double memory_share(double compute_s, double memory_s) {
  if (compute_s <= 0) return 1;
  if (memory_s <= 0) return 0;
  const double balance = compute_s / memory_s;
  return balance <= 1 ? 1 - balance / 2 : 1 / (2 * balance);
}

}  // namespace

double parallel_tasks(const UnitFeatures& features) {
  constexpr double kBytes = 4;
  const double elements = features.work.output_bytes / kBytes;
  if (std::max(features.work.flops, elements) <= kTaskElements) return 1;
  const double block = std::max(static_cast<double>(value_of(features, "out_block")), 1.0);
  if (block > 1) {
    const double planes = std::max(number_of(features, "batch"), 1.0) *
                          std::ceil(number_of(features, "out_channels") / block);
    const auto parts = features.knobs.find("pixel_tasks");
    const double rows = parts == features.knobs.end()
                            ? number_of(features, "out_height")
                            : std::exp2(static_cast<double>(parts->second)) - 1;
    return std::max(1.0, std::round(planes * std::max(rows, 1.0)));
  }
  return std::max(2.0, std::ceil(elements / kTaskElements));
}

WaveScaling wave_scaling(const UnitFeatures& from, int from_threads, const UnitFeatures& to,
                         int to_threads) {
  const double from_compute_s =
      from.roofline.compute_s * unevenness(parallel_tasks(from), from_threads);
  const double to_compute_s = to.roofline.compute_s * unevenness(parallel_tasks(to), to_threads);
  WaveScaling scaling;
  scaling.compute_ratio = wave_scaling_ratio_of(to_compute_s, from_compute_s);
  scaling.memory_ratio = wave_scaling_ratio_of(to.roofline.memory_s, from.roofline.memory_s);
  scaling.memory_share = memory_share(to_compute_s, to.roofline.memory_s);
  scaling.ratio = std::pow(scaling.memory_ratio, scaling.memory_share) *
                  std::pow(scaling.compute_ratio, 1 - scaling.memory_share);
  return scaling;
}

}  // namespace opbench
