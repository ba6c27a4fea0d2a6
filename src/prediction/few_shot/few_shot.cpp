#include "prediction/few_shot/few_shot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "prediction/few_shot/device_scales.h"
#include "prediction/few_shot/non_negative.h"

namespace opbench {
namespace {

constexpr double kSmoothPart = 0.8;
constexpr double kProbeWeight = 1 / 3.0;
constexpr double kLeastTime = 1e-3;  // of a column's mean: a smoothed time stays above 0

Result<void> check_times(std::span<const double> times, const char* what) {
  for (const double time : times) {
    if (std::isfinite(time) && time > 0) continue;
    return Error{ErrorCode::kInvalidInput, fmt::format("{} of {} is not above 0", what, time)};
  }
  return {};
}

Result<void> check(const DevicePool& pool, const FewShotDevice& device) {
  if (pool.times.columns == 0 || pool.times.rows == 0) {
    return Error{ErrorCode::kInvalidInput, "no device with times to predict another one from"};
  }
  OPBENCH_CHECK(check_times(pool.times.values, "a time"));
  OPBENCH_CHECK(check_times(pool.probes.values, "a probe's time"));
  OPBENCH_CHECK(check_times(device.probes, "a probe's time"));
  if (device.labels.empty() && device.probes.empty()) {
    return Error{ErrorCode::kInvalidInput, "no unit was measured on the new device, and no probe"};
  }
  if (!device.probes.empty() &&
      (device.probes.size() != pool.probes.rows || pool.probes.columns != pool.times.columns)) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} probes of the new device, {} of the others", device.probes.size(),
                             pool.probes.rows)};
  }
  for (const LabelledUnit& label : device.labels) {
    if (label.unit >= pool.times.rows) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("a label of unit {}, of {} units", label.unit, pool.times.rows)};
    }
    OPBENCH_CHECK(check_times({&label.time, 1}, "a label's time"));
  }
  return {};
}

/// What the weights are fitted to: a row for each label and probe, in relative errors.
class Fit {
 public:
  Fit(const DevicePool& pool, const FewShotDevice& device)
      : pool_(pool),
        device_(device),
        scales_(scales_of(pool.times)),
        left_(device.labels.size() + device.probes.size(), pool.times.columns) {
    const double speed = speed_of_device();
    for (const LabelledUnit& label : device.labels) {
      const double usual = expected_time(pool.times, label.unit, scales_) * speed;
      add(pool.times.row(label.unit), label.time, std::max(label.time, kLeastPart * usual), 1);
    }
    for (size_t i = 0; i < device.probes.size(); ++i) {
      add(pool.probes.row(i), device.probes[i], device.probes[i], kProbeWeight);
    }
  }

  std::vector<double> predict() const {
    const std::vector<double> weights = non_negative_weights(left_, right_);
    std::vector<double> times;
    for (size_t row = 0; row < pool_.times.rows; ++row) {
      double time = 0;
      for (size_t i = 0; i < weights.size(); ++i) {
        time += weights[i] * pool_.times.at(row, i) / scales_[i];
      }
      times.push_back(time);
    }
    return times;
  }

 private:
  /// Its times over those that are expected of a device of scale 1: the median, as it may skip
  /// units.
  double speed_of_device() const {
    std::vector<double> ratios;
    for (const LabelledUnit& label : device_.labels) {
      ratios.push_back(label.time / expected_time(pool_.times, label.unit, scales_));
    }
    if (ratios.empty()) return 1;  // probes need none
    std::ranges::sort(ratios);
    return ratios[ratios.size() / 2];
  }

  void add(std::span<const double> times, double time, double unit, double weight) {
    const size_t row = right_.size();
    for (size_t i = 0; i < times.size(); ++i) {
      left_.at(row, i) = weight * times[i] / scales_[i] / unit;
    }
    right_.push_back(weight * time / unit);
  }

  const DevicePool& pool_;
  const FewShotDevice& device_;
  std::vector<double> scales_;
  DenseMatrix left_;
  std::vector<double> right_;
};

}  // namespace

DenseMatrix smoothed_times(const DenseMatrix& times, const SparseRows& features) {
  DenseMatrix scaled = times;
  std::vector<double> means(times.columns);
  for (size_t row = 0; row < times.rows; ++row) {
    for (size_t i = 0; i < times.columns; ++i) means[i] += times.at(row, i);
  }
  for (double& mean : means) mean /= static_cast<double>(times.rows);
  for (size_t row = 0; row < times.rows; ++row) {
    for (size_t i = 0; i < times.columns; ++i) scaled.at(row, i) /= means[i];
  }
  DenseMatrix result = smoothed_columns(features, scaled);
  for (size_t row = 0; row < times.rows; ++row) {
    for (size_t i = 0; i < times.columns; ++i) {
      const double smooth = std::max(result.at(row, i), kLeastTime);
      const double mixed = kSmoothPart * smooth + (1 - kSmoothPart) * scaled.at(row, i);
      result.at(row, i) = mixed * means[i];
    }
  }
  return result;
}

Result<std::vector<double>> predict_few_shot(const DevicePool& pool, const FewShotDevice& device) {
  OPBENCH_CHECK(check(pool, device));
  return Fit(pool, device).predict();
}

}  // namespace opbench
