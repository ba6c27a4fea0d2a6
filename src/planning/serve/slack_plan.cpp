#include "planning/serve/slack_plan.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace opbench {
namespace {

/// How queries share the workers: the first `wide` one after the other, the others on `team`.
struct Sharing {
  size_t wide = 0;
  size_t team = 0;
};

bool is_better(const SlackPlan& a, const SlackPlan& b) {
  if (a.too_much.size() != b.too_much.size()) return a.too_much.size() < b.too_much.size();
  if (a.has_reserve != b.has_reserve) return a.has_reserve;
  return a.has_reserve ? a.end_ms < b.end_ms : a.sum_of_ends_ms < b.sum_of_ends_ms;
}

class Planning {
 public:
  Planning(const ServingState& state, const std::vector<WaitingQuery>& candidates) : state_(state) {
    for (const WaitingQuery& query : candidates) all_.push_back({.query = query});
    for (const RunningQuery& one : state.running) {
      all_.push_back({.query = one.query, .is_running = true, .ready_ms = one.left_ms});
    }
    std::ranges::stable_sort(all_, {}, [](const auto& one) { return one.query.deadline_ms; });
    free_from_.assign(static_cast<size_t>(state.free_workers), 0.0);
    for (const RunningQuery& one : state.running) {
      free_from_.insert(free_from_.end(), size_of(one.team), one.left_ms);
    }
    const auto models = static_cast<double>(state.system.models.size());
    for (size_t i = 0; i < state.system.models.size(); ++i) {
      reserve_ms_ += state.rests.fastest_ms(i, 0) / models;
    }
  }

  SlackPlan best() const {
    std::optional<SlackPlan> best;
    const size_t widest = state_.system.teams.size() - 1;
    const size_t planned = std::min(all_.size(), kMostPlanned);
    for (size_t wide = planned + 1; wide-- > 0;) {
      for (size_t team = 0; team < std::max<size_t>(1, widest); ++team) {
        SlackPlan plan = plan_for({wide, team});
        if (!best || is_better(plan, *best)) best = std::move(plan);
      }
    }
    return std::move(*best);
  }

 private:
  size_t size_of(size_t team) const { return static_cast<size_t>(state_.system.teams[team]); }

  SlackPlan plan_for(const Sharing& sharing) const {
    SlackPlan plan;
    for (size_t i = 0; i < all_.size(); ++i) {
      if (i >= kMostPlanned && !all_[i].is_running) {
        plan.too_much.push_back(all_[i].query);
      } else {
        plan.queries.push_back(all_[i]);
      }
    }
    while (const std::optional<size_t> late = first_late(plan, sharing)) {
      const std::optional<size_t> longest = longest_up_to(plan, *late);
      if (!longest) break;
      plan.too_much.push_back(plan.queries[*longest].query);
      plan.queries.erase(plan.queries.begin() + static_cast<std::ptrdiff_t>(*longest));
    }
    return plan;
  }

  /// Sets all times. The first query that is late, unless it runs and cannot be left out.
  std::optional<size_t> first_late(SlackPlan& plan, const Sharing& sharing) const {
    std::vector<double> free_from = free_from_;
    std::optional<size_t> late;
    plan.end_ms = plan.sum_of_ends_ms = 0;
    plan.has_reserve = true;
    for (size_t i = 0; i < plan.queries.size(); ++i) {
      PlannedQuery& one = plan.queries[i];
      one.team = i < sharing.wide ? state_.system.teams.size() - 1 : sharing.team;
      place(one, plan, i, free_from);
      plan.end_ms = std::max(plan.end_ms, one.end_ms);
      plan.sum_of_ends_ms += one.end_ms;
      const double slack_ms = one.query.deadline_ms - state_.now_ms - one.end_ms;
      if (slack_ms < reserve_ms_) plan.has_reserve = false;
      if (slack_ms < 0 && !late) late = i;
    }
    return late;
  }

  /// Gives the query the workers that are free first.
  void place(PlannedQuery& one, const SlackPlan& plan, size_t at,
             std::vector<double>& free_from) const {
    const size_t size = size_of(one.team);
    std::ranges::sort(free_from);
    one.start_ms = std::max(one.ready_ms, free_from[size - 1]);
    double ms = state_.rests.rest_ms(one.query.model, one.query.segment, one.team);
    if (size < free_from.size()) ms *= slow_down(plan, at);
    one.end_ms = one.start_ms + ms;
    const bool is_last = at + 1 == plan.queries.size() && size < free_from.size();
    const double others_ms = free_from.back();
    std::fill_n(free_from.begin(), size, one.end_ms);
    if (!is_last || others_ms >= one.end_ms) return;
    // The last one gets all workers, once the others have ended.
    const double alone_from = std::max(others_ms, one.start_ms);
    const double wide_ms =
        state_.rests.rest_ms(one.query.model, one.query.segment, state_.system.teams.size() - 1);
    if (ms > 0) one.end_ms = alone_from + (one.end_ms - alone_from) / ms * std::min(ms, wide_ms);
  }

  /// By its neighbour in the plan.
  double slow_down(const SlackPlan& plan, size_t at) const {
    if (!state_.slow_down || plan.queries.size() < 2) return 1;
    const size_t other = at + 1 < plan.queries.size() ? at + 1 : at - 1;
    const SegmentPlace neighbour = place_of(plan.queries[other].query);
    return slow_down_of(state_.slow_down, place_of(plan.queries[at].query), {&neighbour, 1});
  }

  SegmentPlace place_of(const WaitingQuery& query) const {
    const size_t last = state_.system.models[query.model].segments.size() - 1;
    return {query.model, std::min(query.segment, last)};
  }

  std::optional<size_t> longest_up_to(const SlackPlan& plan, size_t last) const {
    std::optional<size_t> longest;
    double most_ms = -1;
    for (size_t i = 0; i <= last; ++i) {
      const PlannedQuery& one = plan.queries[i];
      const double ms = state_.rests.fastest_ms(one.query.model, one.query.segment);
      if (one.is_running || ms <= most_ms) continue;
      most_ms = ms;
      longest = i;
    }
    return longest;
  }

  const ServingState& state_;
  std::vector<PlannedQuery> all_;  ///< by deadline
  std::vector<double> free_from_;  ///< by worker
  double reserve_ms_ = 0;
};

}  // namespace

SlackPlan plan_by_slack(const ServingState& state, const std::vector<WaitingQuery>& candidates) {
  return Planning(state, candidates).best();
}

}  // namespace opbench
