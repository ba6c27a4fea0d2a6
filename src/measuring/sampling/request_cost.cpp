#include "measuring/sampling/request_cost.h"

#include <algorithm>

namespace opbench {

void RequestCost::add(int count, double elapsed_s, double run_s) {
  const double each = elapsed_s / count;
  run_itself_s_ = run_s;
  // Until two requests of different size were made, all counts as a part of the runs.
  double slope = each;
  if (last_count_ > 0 && last_count_ != count) {
    slope = (elapsed_s - last_elapsed_s_) / (count - last_count_);
  } else if (last_count_ == count) {
    slope = std::min(each, run_s_);
  }
  run_s_ = std::clamp(slope, std::min(run_s, each), each);
  fixed_s_ = elapsed_s - count * run_s_;
  last_count_ = count;
  last_elapsed_s_ = elapsed_s;
  most_ = std::max(most_, count);
}

int RequestCost::affordable(double seconds) const {
  constexpr int kGrowth = 4;
  if (run_s_ <= 0) return 0;
  const double count = std::max(0.0, (seconds - fixed_s_) / run_s_);
  return static_cast<int>(std::min<double>(count, kGrowth * most_));
}

}  // namespace opbench
