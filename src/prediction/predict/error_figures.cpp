#include "prediction/predict/error_figures.h"

#include <algorithm>
#include <cmath>

#include "measuring/results/statistics.h"

namespace opbench {

ErrorFigures error_figures(const std::vector<PredictedPair>& pairs) {
  ErrorFigures figures;
  if (pairs.empty()) return figures;
  std::vector<double> errors;
  for (const PredictedPair& pair : pairs) {
    errors.push_back(std::abs(pair.predicted / pair.measured - 1));
  }
  const auto count = static_cast<double>(errors.size());
  double squares = 0;
  for (const double error : errors) {
    figures.mean += error / count;
    squares += error * error / count;
    if (error <= 0.05) figures.within_5 += 1 / count;
    if (error <= 0.10) figures.within_10 += 1 / count;
  }
  figures.median = median(errors);
  figures.count = static_cast<int64_t>(errors.size());
  figures.rms = std::sqrt(squares);
  figures.worst = std::ranges::max(errors);
  return figures;
}

}  // namespace opbench
