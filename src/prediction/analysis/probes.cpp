#include "prediction/analysis/probes.h"

#include <algorithm>
#include <map>
#include <optional>

namespace opbench {
namespace {

class Search {
 public:
  Search(size_t count, size_t budget, double tolerance, const Probe& probe)
      : count_(count), budget_(std::min(budget, count)), tolerance_(tolerance), probe_(probe) {}

  Result<void> run() {
    OPBENCH_CHECK(descend());
    // The last probes narrow down what is enough, those before them the least time.
    const size_t last = budget_ / 4;
    while (times_.size() < budget_) {
      const bool is_last = times_.size() + last >= budget_;
      OPBENCH_CHECK(take(next_beside(is_last ? tolerance_ : 0)));
    }
    return {};
  }

  const std::map<size_t, double>& times() const { return times_; }
  const std::vector<size_t>& order() const { return order_; }

 private:
  Result<void> take(size_t index) {
    OPBENCH_TRY(times_[index], probe_(index));
    order_.push_back(index);
    return {};
  }

  /// From the last value down by halves; three probes at least where the budget allows.
  Result<void> descend() {
    constexpr double kClearlySlower = 1.5;
    constexpr size_t kLeast = 3;
    const size_t most = std::max<size_t>(budget_ * 5 / 8, 1);
    for (size_t rank = count_; rank > 0 && times_.size() < most; rank /= 2) {
      OPBENCH_CHECK(take(rank - 1));
      if (times_.size() < kLeast) continue;
      const auto lowest = times_.begin();
      if (lowest->second > kClearlySlower * std::next(lowest)->second) break;
    }
    return {};
  }

  /// The middle of the wider gap beside the first probe within the tolerance of the fastest.
  size_t next_beside(double tolerance) const {
    std::vector<double> times;
    for (const auto& [index, time] : times_) times.push_back(time);
    const auto enough =
        std::next(times_.begin(), static_cast<std::ptrdiff_t>(first_within(times, tolerance)));
    // Places of probes beside it, numbered from 1 so that 0 stands for the place before all.
    const size_t own = enough->first + 1;
    const size_t below = enough == times_.begin() ? 0 : std::prev(enough)->first + 1;
    const auto behind = std::next(enough);
    const size_t above = behind == times_.end() ? own : behind->first + 1;
    const bool takes_lower = own - below > 1 && own - below >= above - own;
    if (takes_lower) return (below + own) / 2 - 1;
    if (above - own > 1) return (own + above) / 2 - 1;
    return first_unknown();
  }

  /// The middle of the widest gap; both neighbours of that probe are known.
  size_t first_unknown() const {
    size_t below = 0, begin = 0, end = 0;
    const auto look = [&](size_t next) {
      if (next - below > end - begin) {
        begin = below;
        end = next;
      }
      below = next;
    };
    for (const auto& [index, time] : times_) look(index + 1);
    look(count_ + 1);
    return (begin + end) / 2 - 1;
  }

  size_t count_, budget_;
  double tolerance_;
  const Probe& probe_;
  std::map<size_t, double> times_;
  std::vector<size_t> order_;
};

}  // namespace

Result<ProbeSearch> search_with_probes(const std::vector<double>& values, size_t budget,
                                       double tolerance, const Probe& probe) {
  Search search(values.size(), budget, tolerance, probe);
  OPBENCH_CHECK(search.run());
  ProbeSearch found;
  std::vector<double> times;
  for (const auto& [index, time] : search.times()) {
    found.probes.push_back({values[index], time});
    times.push_back(time);
  }
  for (const size_t index : search.order()) found.order.push_back(values[index]);
  found.fastest = found.probes[fastest_of(times)];
  found.enough = found.probes[first_within(times, tolerance)];
  return found;
}

}  // namespace opbench
