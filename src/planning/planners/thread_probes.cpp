#include "planning/planners/thread_probes.h"

#include <algorithm>
#include <map>
#include <optional>

namespace opbench {
namespace {

class Climb {
 public:
  Climb(const std::function<double(int)>& time_ms, int most_threads, int most_probes)
      : time_ms_(time_ms), most_threads_(most_threads), most_probes_(most_probes) {}

  ThreadChoice run() {
    double_up();
    refine();
    return {fastest(), std::move(probes_)};
  }

 private:
  bool may_probe() const { return static_cast<int>(probes_.size()) < most_probes_; }

  double probe(int threads) {
    const double time = time_ms_(threads);
    probes_.push_back({threads, time});
    known_[threads] = time;
    return time;
  }

  int fastest() const {
    return std::ranges::min_element(known_, {}, [](const auto& one) { return one.second; })->first;
  }

  void double_up() {
    int rises = 0;
    double last = probe(1);
    for (int threads = 2; may_probe() && rises < 2; threads *= 2) {
      const int capped = std::min(threads, most_threads_);
      if (known_.contains(capped)) return;
      const double time = probe(capped);
      rises = time > last ? rises + 1 : 0;
      last = time;
    }
  }

  /// Halfway between the fastest and the neighbour with the smaller time, where there is a gap.
  std::optional<int> halfway() const {
    const auto best = known_.find(fastest());
    std::optional<int> found;
    double neighbour_ms = 0;
    const auto look = [&](const auto& neighbour) {
      const int middle = (neighbour->first + best->first) / 2;
      if (middle == neighbour->first || middle == best->first) return;
      if (found && neighbour->second >= neighbour_ms) return;
      found = middle;
      neighbour_ms = neighbour->second;
    };
    if (best != known_.begin()) look(std::prev(best));
    if (std::next(best) != known_.end()) look(std::next(best));
    return found;
  }

  void refine() {
    while (may_probe()) {
      const std::optional<int> next = halfway();
      if (!next) return;
      probe(*next);
    }
  }

  const std::function<double(int)>& time_ms_;
  int most_threads_, most_probes_;
  std::vector<ThreadProbe> probes_;
  std::map<int, double> known_;
};

}  // namespace

ThreadChoice probe_threads(const std::function<double(int threads)>& time_ms, int most_threads,
                           int most_probes) {
  return Climb(time_ms, most_threads, most_probes).run();
}

}  // namespace opbench
