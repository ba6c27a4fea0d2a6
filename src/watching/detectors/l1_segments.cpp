#include "watching/detectors/l1_segments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "measuring/results/statistics.h"

namespace opbench {
namespace {

/// Values that come one by one, and the sum of their distances from their median.
class GrowingMedian {
 public:
  void add(double value) {
    if (low_.empty() || value <= low_.top()) {
      low_.push(value);
      low_sum_ += value;
    } else {
      high_.push(value);
      high_sum_ += value;
    }
    if (low_.size() > high_.size() + 1) move(low_, high_, low_sum_, high_sum_);
    if (high_.size() > low_.size()) move(high_, low_, high_sum_, low_sum_);
  }
  double cost() const {
    const double median = low_.top();
    return median * static_cast<double>(low_.size()) - low_sum_ + high_sum_ -
           median * static_cast<double>(high_.size());
  }

 private:
  template <class From, class To>
  static void move(From& from, To& to, double& from_sum, double& to_sum) {
    from_sum -= from.top();
    to_sum += from.top();
    to.push(from.top());
    from.pop();
  }
  std::priority_queue<double> low_;
  std::priority_queue<double, std::vector<double>, std::greater<>> high_;
  double low_sum_ = 0, high_sum_ = 0;
};

}  // namespace

double l1_cost(std::span<const double> values) {
  if (values.empty()) return 0;
  const double center = median(std::vector<double>(values.begin(), values.end()));
  double sum = 0;
  for (const double value : values) sum += std::abs(value - center);
  return sum;
}

std::vector<size_t> l1_segments(std::span<const double> values, double gamma, size_t fewest) {
  const size_t count = values.size();
  if (count < 2 * fewest) return {};
  std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
  std::vector<size_t> begin(count + 1, 0);
  best[0] = -gamma;
  for (size_t end = fewest; end <= count; ++end) {
    GrowingMedian segment;
    for (size_t i = end; i-- > 0;) {
      segment.add(values[i]);
      if (end - i < fewest || std::isinf(best[i])) continue;
      const double cost = best[i] + segment.cost() + gamma;
      if (cost < best[end]) {
        best[end] = cost;
        begin[end] = i;
      }
    }
  }
  std::vector<size_t> begins;
  for (size_t end = count; begin[end] > 0; end = begin[end]) begins.push_back(begin[end]);
  std::ranges::reverse(begins);
  return begins;
}

}  // namespace opbench
