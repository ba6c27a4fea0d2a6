#include <algorithm>
#include <cmath>
#include <numeric>

#include "watching/detectors/detector.h"
#include "watching/detectors/window_sums.h"

namespace opbench {
namespace {

constexpr size_t kEdivNights = 50;
constexpr size_t kEdivSegment = 2;
constexpr double kEdivP = 0.001;

struct EnergySplit {
  size_t at = 0;
  double energy = 0;
};

/// Distances of all values from each other, summed by rows: energies of every split come from them.
class EnergyWindow {
 public:
  explicit EnergyWindow(std::span<const double> values) : values_(values) {}

  /// The split of [begin, end) with the largest energy distance (Matteson and James 2014).
  EnergySplit best(size_t begin, size_t end) const {
    EnergySplit best;
    double left = 0, cross = 0, right = 0;
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = i + 1; j < end; ++j) right += distance(i, j);
    }
    for (size_t at = begin + 1; at + kEdivSegment <= end; ++at) {
      double to_left = 0, to_right = 0;  // the value before `at` changes sides
      for (size_t i = begin; i + 1 < at; ++i) to_left += distance(i, at - 1);
      for (size_t i = at; i < end; ++i) to_right += distance(i, at - 1);
      left += to_left;
      right -= to_right;
      cross += to_right - to_left;
      const auto n = static_cast<double>(at - begin), m = static_cast<double>(end - at);
      if (at - begin < kEdivSegment) continue;
      const double within = 2 * left / (n * (n - 1)) + 2 * right / (m * (m - 1));
      const double energy = n * m / (n + m) * (2 * cross / (n * m) - within);
      if (energy > best.energy) best = {at, energy};
    }
    return best;
  }

 private:
  double distance(size_t i, size_t j) const { return std::abs(values_[i] - values_[j]); }
  std::span<const double> values_;
};

void split_where_different(const LevelView& view, std::span<const double> levels, size_t begin,
                           size_t end, std::vector<LevelStep>& steps) {
  if (end - begin < 2 * kEdivSegment) return;
  const EnergySplit split = EnergyWindow(levels).best(begin, end);
  if (split.at == 0) return;
  const auto before = levels.subspan(begin, split.at - begin);
  const auto after = levels.subspan(split.at, end - split.at);
  const double t = welch_t(before, after);
  const MeanAndVariance a = mean_and_variance(before), b = mean_and_variance(after);
  if (student_p(t, static_cast<double>(end - begin - 2)) > kEdivP) return;
  const size_t first = view.points.size() - levels.size();
  steps.push_back({.at = first + split.at,
                   .size = b.mean - a.mean,
                   .sd = std::abs((b.mean - a.mean) / t),
                   .z = std::abs(t)});
  split_where_different(view, levels, begin, split.at, steps);
  split_where_different(view, levels, split.at, end, steps);
}

std::vector<LevelStep> ediv_steps(const LevelView& view) {
  const std::vector<double> levels = last_levels(view, kEdivNights);
  std::vector<LevelStep> steps;
  if (levels.size() >= 10) split_where_different(view, levels, 0, levels.size(), steps);
  return steps;
}

}  // namespace

DetectorDef ediv_detector() {
  return {.name = "ediv",
          .summary = "E-divisive with a t-test in place of permutations, p below 0.001",
          .threshold = 0,
          .sure = 0,
          .delay = 4,
          .find = ediv_steps};
}

}  // namespace opbench
