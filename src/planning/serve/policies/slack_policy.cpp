#include <utility>
#include <vector>

#include "planning/serve/slack_plan.h"

namespace opbench {
namespace {

class SlackDecision {
 public:
  explicit SlackDecision(const ServingState& state) : state_(state), free_(state.free_workers) {}

  Decision decide(const PolicyVariant& variant) {
    std::vector<WaitingQuery> candidates, lost;
    for (const WaitingQuery& query : state_.waiting) {
      if (!is_lost(state_, query)) {
        candidates.push_back(query);
      } else if (variant.drops_lost) {
        decision_.drops.push_back(query.id);
      } else {
        lost.push_back(query);
      }
    }
    const SlackPlan plan = plan_by_slack(state_, candidates);
    for (const PlannedQuery& one : plan.queries) begin(one);
    if (!plan.queries.empty()) return std::move(decision_);
    // Nothing can be in time for sure: what may still be, then what is late anyway.
    for (const auto& others : {plan.too_much, lost}) {
      for (const WaitingQuery& query : others) launch(query, state_.system.teams.size() - 1);
    }
    return std::move(decision_);
  }

 private:
  /// The planned query's next segment if its team is free. If it has to wait for its team, free
  /// workers wait for that, too, but for what ends before.
  void begin(const PlannedQuery& one) {
    if (one.is_running) return;
    if (wait_ms_ == 0 && one.start_ms > 0 && one.team > 0) wait_ms_ = one.start_ms;
    launch(one.query, wait_ms_ > 0 ? 0 : one.team);
  }

  void launch(const WaitingQuery& query, size_t team) {
    constexpr double kMargin = 1.5;  // times have noise, and a late team costs all workers
    const int size = state_.system.teams[team];
    const double ms = state_.system.models[query.model].segments[query.segment].times_ms[team];
    if (size > free_ || (wait_ms_ > 0 && ms * kMargin > wait_ms_)) return;
    decision_.launches.push_back({query.id, 1, team});
    free_ -= size;
  }

  const ServingState& state_;
  int free_;
  double wait_ms_ = 0;  ///< of free workers for others of a team; 0: for none
  Decision decision_;
};

/// After Abacus (Cui and others, SC 2021): the most urgent query's rest goes into the group first,
/// others are packed beside it as long as the predicted times keep everything within its slack. Two
/// things differ: a group is planned anew whenever a segment ends, so that a new urgent query waits
/// for one segment at most; and the group may be the urgent query on all workers.
Decision decide_slack(const ServingState& state, const PolicyVariant& variant) {
  return SlackDecision(state).decide(variant);
}

}  // namespace

PolicyDef slack_policy() {
  return {.name = "slack",
          .summary = "groups of segments that fit into the slack of the most urgent query",
          .is_baseline = false,
          .variants = {{.name = "drop", .drops_lost = true}, {.name = "keep", .drops_lost = false}},
          .decide = decide_slack};
}

}  // namespace opbench
