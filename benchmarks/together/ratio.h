#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace opbench {

/// Mean and worst of how far something is over the optimum.
struct OverOptimum {
  double sum = 0, worst = 0;
  int count = 0;

  void add(double ratio) {
    sum += ratio;
    worst = std::max(worst, ratio);
    ++count;
  }
  double mean() const { return count > 0 ? sum / count : 0; }
  std::string text() const { return fmt::format("{:.3f} {:.2f}", mean(), worst); }
};

}  // namespace opbench
