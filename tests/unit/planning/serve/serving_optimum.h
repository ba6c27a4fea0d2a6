#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "planning/serve/queries.h"

namespace opbench {

/// The fewest queries that can be late or dropped, by trying every choice at every event: which
/// waiting queries get which teams for their next segment, or that workers wait. It knows all
/// arrivals and all factors, so that no policy can do better. For a handful of segments.
class ServingOptimum {
 public:
  ServingOptimum(const ServingSystem& system, const std::vector<Query>& queries)
      : system_(system), queries_(queries), fewest_(queries.size()) {
    for (const Query& query : queries) {
      states_.push_back({.ready_ms = query.arrival_ms});
    }
    search(0, 0);
  }

  size_t late() const { return fewest_; }

 private:
  struct State {
    size_t segment = 0;    ///< next
    double ready_ms = 0;   ///< arrival, or end of the segment before
    size_t team = 0;       ///< of that segment
    bool has_run = false;  ///< a segment has been started
  };

  size_t segments_of(size_t query) const {
    return system_.models[queries_[query].model].segments.size();
  }
  bool is_done(size_t query) const { return states_[query].segment == segments_of(query); }

  /// Whether no choice gets it in time.
  bool is_lost(size_t query, double now_ms) const {
    const State& state = states_[query];
    double end_ms = std::max(now_ms, state.ready_ms);
    if (is_done(query)) end_ms = state.ready_ms;
    for (size_t i = state.segment; i < segments_of(query); ++i) {
      end_ms += time_ms(query, i, fastest(query, i));
    }
    constexpr double kRounding = 1e-9;
    return end_ms > queries_[query].deadline_ms + kRounding;
  }

  size_t fastest(size_t query, size_t segment) const {
    const auto& times = system_.models[queries_[query].model].segments[segment].times_ms;
    return static_cast<size_t>(std::ranges::min_element(times) - times.begin());
  }

  double time_ms(size_t query, size_t segment, size_t team) const {
    const Query& one = queries_[query];
    return system_.models[one.model].segments[segment].times_ms[team] * one.factors[segment];
  }

  int free_workers(double now_ms) const {
    int free = system_.workers;
    for (const State& state : states_) {
      if (state.has_run && state.ready_ms > now_ms) free -= system_.teams[state.team];
    }
    return free;
  }

  /// Tries all launches of queries from `first` on at this time, then the next event.
  void search(double now_ms, size_t first) {
    size_t late = 0;
    for (size_t i = 0; i < states_.size(); ++i) late += is_lost(i, now_ms) ? 1 : 0;
    if (late >= fewest_) return;
    const int free = free_workers(now_ms);
    for (size_t i = first; i < states_.size(); ++i) {
      if (is_done(i) || states_[i].ready_ms > now_ms || is_lost(i, now_ms)) continue;
      for (size_t team = 0; team < system_.teams.size(); ++team) {
        if (system_.teams[team] > free) continue;
        const State before = states_[i];
        states_[i] = {before.segment + 1, now_ms + time_ms(i, before.segment, team), team, true};
        search(now_ms, i + 1);
        states_[i] = before;
      }
    }
    double next_ms = std::numeric_limits<double>::infinity();
    bool is_finished = true;
    for (size_t i = 0; i < states_.size(); ++i) {
      if (states_[i].ready_ms > now_ms) next_ms = std::min(next_ms, states_[i].ready_ms);
      if (!is_done(i) && !is_lost(i, now_ms)) is_finished = false;
    }
    if (is_finished) {
      fewest_ = late;
      return;
    }
    if (next_ms < std::numeric_limits<double>::infinity()) search(next_ms, 0);
  }

  const ServingSystem& system_;
  const std::vector<Query>& queries_;
  std::vector<State> states_;
  size_t fewest_ = 0;
};

}  // namespace opbench
