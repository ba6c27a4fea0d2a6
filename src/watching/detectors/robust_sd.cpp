#include "watching/detectors/robust_sd.h"

#include "measuring/results/statistics.h"

namespace opbench {

double robust_sd(std::span<const double> values) {
  return values.size() < 2 ? 0 : kDeviationOfMedian * median_absolute_deviation(values);
}

}  // namespace opbench
