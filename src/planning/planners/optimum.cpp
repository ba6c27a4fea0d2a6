#include "planning/planners/optimum.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "planning/planners/search_state.h"

namespace opbench {
namespace {

class OptimumSearch {
 public:
  OptimumSearch(const TimedGraph& timed, int workers, size_t most_states)
      : search_(timed, workers), most_states_(most_states) {}

  std::optional<double> run() {
    if (search_.timed.size() == 0) return 0.0;
    visit(first_state(search_));
    if (states_ > most_states_) return std::nullopt;
    return best_;
  }

 private:
  void visit(const PlanSearchState& state) {
    if (++states_ > most_states_) return;
    if (state.ready.empty()) {
      best_ = std::min(best_, state.free_ms.back());
      return;
    }
    if (is_dominated(state)) return;
    struct Branch {
      double bound;
      SearchStep step;
    };
    std::vector<Branch> branches;
    for (const int unit : state.ready) {
      for (size_t team = 0; team < search_.sizes; ++team) {
        const SearchStep step = next_step(search_, state, unit, team);
        branches.push_back({bound_after(search_, state, step), step});
      }
    }
    std::ranges::stable_sort(branches, {}, &Branch::bound);
    for (const Branch& branch : branches) {
      if (branch.bound >= best_) return;
      PlanSearchState next = state;
      apply(search_, branch.step, next);
      visit(next);
    }
  }

  /// Whether a visited state has the same units placed and is nowhere later. Later steps start at
  /// `start_ms` at the earliest, so what ended before counts as ended then.
  bool is_dominated(const PlanSearchState& state) {
    std::vector<bool> placed;
    std::vector<double> times = {state.start_ms};
    for (const double free : state.free_ms) times.push_back(std::max(free, state.start_ms));
    for (size_t i = 0; i < state.end_ms.size(); ++i) {
      placed.push_back(state.open_needs[i] < 0);
      if (placed.back()) times.push_back(std::max(state.end_ms[i], state.start_ms));
    }
    auto& known = visited_[placed];
    for (const auto& other : known) {
      bool is_no_later = true;
      for (size_t i = 0; i < times.size() && is_no_later; ++i) is_no_later = other[i] <= times[i];
      if (is_no_later) return true;
    }
    known.push_back(std::move(times));
    return false;
  }

  SearchGraph search_;
  size_t most_states_;
  size_t states_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  std::map<std::vector<bool>, std::vector<std::vector<double>>> visited_;
};

}  // namespace

std::optional<double> optimum_ms(const TimedGraph& timed, int workers, size_t most_states) {
  return OptimumSearch(timed, workers, most_states).run();
}

}  // namespace opbench
