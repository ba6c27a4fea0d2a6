#include "experiments/devices/place_verdict.h"

#include <algorithm>

namespace opbench {

std::string place_verdict(double low, double high, double floor, bool is_disturbed) {
  if (is_disturbed) return "inconclusive";
  const double most = 1 + floor;
  const double least = 1 / most;
  if (low > most) return "faster";
  if (high < least) return "slower";
  const double margin = 1 + std::min(floor, kPlaceMargin);
  return low >= 1 / margin && high <= margin ? "same" : "inconclusive";
}

}  // namespace opbench
