#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"
#include "planning/planners/schedule_draft.h"
#include "planning/planners/thread_probes.h"

namespace opbench {
namespace {

/// Indices of sizes of teams.
using TeamsByKind = std::map<std::string, size_t>;

/// The size that the slowest unit of each kind is fastest with, among those that are probed.
TeamsByKind teams_by_kind(const TimedGraph& timed, const PlannerOptions& options) {
  std::map<std::string, int> slowest;
  for (size_t i = 0; i < timed.size(); ++i) {
    const int unit = static_cast<int>(i);
    const auto [at, is_new] = slowest.emplace(timed.graph.units[i].kind, unit);
    if (!is_new && timed.time_ms(unit, 0) > timed.time_ms(at->second, 0)) at->second = unit;
  }
  TeamsByKind teams;
  const auto sizes = static_cast<int>(teams_within(timed, options.workers));
  for (const auto& [kind, unit] : slowest) {
    const auto time = [&, number = unit](int size) {
      return timed.time_ms(number, static_cast<size_t>(size - 1));
    };
    const ThreadChoice choice = probe_threads(time, sizes, std::max(2, options.most_probes));
    teams[kind] = static_cast<size_t>(choice.threads - 1);
  }
  return teams;
}

/// Runtime concurrency control (Liu and others, IPDPS 2019): one size of team for a kind of unit,
/// found by probing its slowest unit, and small units beside large ones where workers are idle.
class ThreadsPlanner {
 public:
  ThreadsPlanner(const TimedGraph& timed, const TeamsByKind& by_kind, const PlannerOptions& options)
      : timed_(timed), options_(options), draft_(timed, options.workers) {
    for (const GraphUnit& unit : timed.graph.units) team_.push_back(by_kind.at(unit.kind));
    for (const GraphUnit& unit : timed.graph.units) {
      open_needs_.push_back(static_cast<int>(unit.needs.size()));
    }
    successors_ = successors_of(timed.graph);
  }

  ExecutionPlan run() {
    for (size_t placed = 0; placed < timed_.size(); ++placed) {
      const double now = std::max(earliest_free(), earliest_ready());
      const auto beside = beside_running(now);
      const auto [unit, team] = beside ? *beside : largest_ready(now);
      place(unit, team);
    }
    return draft_.plan("threads");
  }

 private:
  struct Chosen {
    int unit = 0;
    size_t team = 0;
  };

  double earliest_free() const {
    double earliest = draft_.free_ms(0);
    for (int i = 1; i < options_.workers; ++i) earliest = std::min(earliest, draft_.free_ms(i));
    return earliest;
  }

  bool is_open(size_t unit) const { return open_needs_[unit] == 0; }

  double earliest_ready() const {
    double earliest = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < timed_.size(); ++i) {
      if (is_open(i)) earliest = std::min(earliest, draft_.ready_ms(static_cast<int>(i)));
    }
    return earliest;
  }

  /// A unit for the workers that are idle while others run: by its own team or one of the next two
  /// smaller ones, if it ends before the running units do. Of those the longest.
  std::optional<Chosen> beside_running(double now) const {
    int idle = 0;
    for (int i = 0; i < options_.workers; ++i) idle += draft_.free_ms(i) <= now ? 1 : 0;
    if (idle == options_.workers) return {};
    const double left = draft_.makespan_ms() - now;
    std::optional<Chosen> best;
    double longest = 0;
    for (size_t i = 0; i < timed_.size(); ++i) {
      const int unit = static_cast<int>(i);
      if (!is_open(i) || draft_.ready_ms(unit) > now) continue;
      const size_t own = team_[i];
      for (size_t team = own + 1; team-- > (own > 2 ? own - 2 : 0);) {
        const double time = timed_.time_ms(unit, team);
        if (timed_.times.teams[team] > idle || time > left) continue;
        if (time > longest) {
          longest = time;
          best = Chosen{unit, team};
        }
        break;
      }
    }
    return best;
  }

  Chosen largest_ready(double now) const {
    std::optional<Chosen> best;
    for (size_t i = 0; i < timed_.size(); ++i) {
      const int unit = static_cast<int>(i);
      if (!is_open(i) || draft_.ready_ms(unit) > now) continue;
      const bool is_larger =
          !best || timed_.time_ms(unit, team_[i]) > timed_.time_ms(best->unit, best->team);
      if (is_larger) best = Chosen{unit, team_[i]};
    }
    return *best;
  }

  void place(int unit, size_t team) {
    draft_.place(unit, draft_.spot(unit, team));
    open_needs_[static_cast<size_t>(unit)] = -1;
    for (const int next : successors_[static_cast<size_t>(unit)]) {
      --open_needs_[static_cast<size_t>(next)];
    }
  }

  const TimedGraph& timed_;
  const PlannerOptions& options_;
  ScheduleDraft draft_;
  std::vector<size_t> team_;     ///< by unit: index of its kind's size
  std::vector<int> open_needs_;  ///< by unit; -1: it is placed
  std::vector<std::vector<int>> successors_;
};

ExecutionPlan threads_plan(const TimedGraph& timed, const PlannerOptions& options) {
  const TeamsByKind teams = teams_by_kind(timed, options);
  return plan_by_pieces(timed, options, "threads", true, [&](const TimedGraph& piece) {
    return ThreadsPlanner(piece, teams, options).run();
  });
}

}  // namespace

PlannerDef threads_planner() {
  return {.name = "threads",
          .summary = "one size of team for a kind of unit, small units in idle workers (IPDPS19)",
          .plan = threads_plan};
}

}  // namespace opbench
