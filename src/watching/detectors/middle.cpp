#include "watching/detectors/middle.h"

#include <algorithm>
#include <cmath>

namespace opbench {

double middle(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  if (values.size() % 2 == 1) return *half;
  return (*half + *std::max_element(values.begin(), half)) / 2;
}

double robust_sd(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double center = middle({values.begin(), values.end()});
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - center));
  return 1.4826 * middle(std::move(distances));
}

}  // namespace opbench
