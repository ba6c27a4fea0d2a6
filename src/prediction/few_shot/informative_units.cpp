#include "prediction/few_shot/informative_units.h"

#include <algorithm>

#include "prediction/few_shot/device_scales.h"

namespace opbench {
namespace {

constexpr double kPriorPrecision = 0.1;  // of the weights

}  // namespace

std::vector<size_t> informative_units(const DenseMatrix& times, std::span<const size_t> candidates,
                                      size_t count) {
  const std::vector<double> scales = scales_of(times);
  const size_t devices = times.columns;
  DenseMatrix rows(candidates.size(), devices), covariance(devices, devices);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const double usual = expected_time(times, candidates[i], scales);
    for (size_t j = 0; j < devices; ++j) {
      rows.at(i, j) = times.at(candidates[i], j) / scales[j] / usual;
    }
  }
  for (size_t j = 0; j < devices; ++j) covariance.at(j, j) = 1 / kPriorPrecision;
  std::vector<size_t> chosen;
  std::vector<double> told(devices), best_told(devices);
  while (chosen.size() < std::min(count, candidates.size())) {
    double most = -1;
    size_t best = 0;
    for (size_t i = 0; i < rows.rows; ++i) {
      double variance = 0;
      for (size_t j = 0; j < devices; ++j) {
        told[j] = 0;
        for (size_t k = 0; k < devices; ++k) told[j] += covariance.at(j, k) * rows.at(i, k);
        variance += told[j] * rows.at(i, j);
      }
      if (variance <= most || std::ranges::find(chosen, candidates[i]) != chosen.end()) continue;
      most = variance;
      best = i;
      best_told = told;
    }
    chosen.push_back(candidates[best]);
    for (size_t j = 0; j < devices; ++j) {
      for (size_t k = 0; k < devices; ++k) {
        covariance.at(j, k) -= best_told[j] * best_told[k] / (1 + most);
      }
    }
  }
  return chosen;
}

}  // namespace opbench
