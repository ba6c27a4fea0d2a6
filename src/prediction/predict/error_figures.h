#pragma once

#include <cstdint>
#include <vector>

namespace opbench {

/// How far predictions were from measured times, as |predicted / measured - 1|.
struct ErrorFigures {
  int64_t count = 0;
  double mean = 0;
  double median = 0;
  double rms = 0;  ///< root of the mean square: RMSPE
  double worst = 0;
  double within_5 = 0;   ///< share of those within 5 %
  double within_10 = 0;  ///< and within 10 %
};

/// Of pairs of predicted and measured, all above 0.
struct PredictedPair {
  double predicted = 0;
  double measured = 0;
};
ErrorFigures error_figures(const std::vector<PredictedPair>& pairs);

}  // namespace opbench
