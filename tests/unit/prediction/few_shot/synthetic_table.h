#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "prediction/few_shot/dense_matrix.h"

namespace opbench {

/// Times of units on devices: units have parts of several kinds, and a device has a speed for each
/// kind. A time is the sum over the kinds, with multiplicative noise.
struct SyntheticTable {
  DenseMatrix times;   ///< units x devices
  DenseMatrix probes;  ///< kinds x devices: a probe is a unit of one kind
};

inline SyntheticTable synthetic_table(uint64_t seed, size_t units, size_t devices, size_t kinds,
                                      double noise) {
  Random random(seed);
  DenseMatrix parts(units, kinds), costs(kinds, devices);
  for (double& part : parts.values) part = std::exp(random.normal());
  for (double& cost : costs.values) cost = std::exp(0.5 * static_cast<double>(random.normal()));
  SyntheticTable table{.times = DenseMatrix(units, devices), .probes = DenseMatrix(kinds, devices)};
  const auto noisy = [&](double time) {
    return time * std::exp(noise * static_cast<double>(random.normal()));
  };
  for (size_t device = 0; device < devices; ++device) {
    for (size_t unit = 0; unit < units; ++unit) {
      double time = 0;
      for (size_t kind = 0; kind < kinds; ++kind) {
        time += parts.at(unit, kind) * costs.at(kind, device);
      }
      table.times.at(unit, device) = noisy(time);
    }
    for (size_t kind = 0; kind < kinds; ++kind) {
      table.probes.at(kind, device) = noisy(costs.at(kind, device));
    }
  }
  return table;
}

inline std::vector<size_t> numbers_below(size_t count) {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

/// Mean of |predicted / true - 1|.
inline double mean_error(const std::vector<double>& predicted, const DenseMatrix& times,
                         size_t device) {
  double sum = 0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    sum += std::abs(predicted[i] / times.at(i, device) - 1);
  }
  return sum / static_cast<double>(predicted.size());
}

}  // namespace opbench
