#include <bit>
#include <limits>
#include <unordered_map>

#include "planning/planners/stages.h"

namespace opbench {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

constexpr UnitMask best_stages_bit(int unit) { return UnitMask{1} << unit; }

class StageSearch {
 public:
  StageSearch(const TimedGraph& timed, int workers, const StageLimits& limits)
      : timed_(timed), workers_(workers), limits_(limits) {
    for (const auto& successors : successors_of(timed.graph)) {
      UnitMask mask = 0;
      for (const int unit : successors) mask |= best_stages_bit(unit);
      successors_.push_back(mask);
    }
  }

  std::optional<StagePartition> run() {
    const size_t count = timed_.size();
    const UnitMask all = count == kMostMaskedUnits ? ~UnitMask{0} : best_stages_bit(int(count)) - 1;
    const double cost = cost_of(all);
    if (is_beyond_limit_ || cost == kNever) return std::nullopt;
    StagePartition partition{.stages = {}, .cost_ms = cost};
    for (UnitMask left = all; left != 0; left &= ~best_[left].ending) {
      partition.stages.push_back(best_stage(timed_, workers_, best_[left].ending));
    }
    partition.stages = {partition.stages.rbegin(), partition.stages.rend()};
    return partition;
  }

 private:
  struct Entry {
    double cost_ms = kNever;
    UnitMask ending = 0;
  };

  struct StageCost {
    double cost_ms = 0;
    bool is_allowed = true;    ///< by both limits
    bool may_be_grown = true;  ///< no group is too large yet: groups only grow
  };

  double cost_of(UnitMask left) {
    if (left == 0) return 0;
    if (const auto known = best_.find(left); known != best_.end()) return known->second.cost_ms;
    Entry entry;
    grow(left, 0, int(kMostMaskedUnits), entry);
    best_[left] = entry;
    return entry.cost_ms;
  }

  /// Tries every ending that adds units below `limit` to `ending`; each ending is met once, as its
  /// units are added from the largest number down.
  void grow(UnitMask left, UnitMask ending, int limit, Entry& best) {
    for (UnitMask rest = left & ~ending; rest != 0 && !is_beyond_limit_;) {
      const int unit = int(kMostMaskedUnits) - 1 - std::countl_zero(rest);
      rest &= ~best_stages_bit(unit);
      if (unit >= limit) continue;
      const UnitMask needed = successors_[static_cast<size_t>(unit)] & left;
      if ((needed & ~ending) != 0) continue;
      if (limits_.most_transitions > 0 && ++transitions_ > limits_.most_transitions) {
        is_beyond_limit_ = true;
        return;
      }
      const UnitMask larger = ending | best_stages_bit(unit);
      const StageCost& stage = stage_cost(larger);
      if (stage.is_allowed && stage.cost_ms < best.cost_ms) {
        const double cost = cost_of(left & ~larger) + stage.cost_ms;
        if (cost < best.cost_ms) best = {cost, larger};
      }
      if (stage.may_be_grown) grow(left, larger, unit, best);
    }
  }

  const StageCost& stage_cost(UnitMask units) {
    if (const auto known = stages_.find(units); known != stages_.end()) return known->second;
    const Stage stage = best_stage(timed_, workers_, units);
    StageCost cost{.cost_ms = stage.cost_ms};
    const auto groups = static_cast<int>(stage.groups.size());
    if (limits_.most_groups > 0 && groups > limits_.most_groups) cost.is_allowed = false;
    for (const StageGroup& group : stage.groups) {
      if (limits_.most_units == 0 || int(group.units.size()) <= limits_.most_units) continue;
      cost.is_allowed = cost.may_be_grown = false;
    }
    return stages_.emplace(units, cost).first->second;
  }

  const TimedGraph& timed_;
  int workers_;
  StageLimits limits_;
  std::vector<UnitMask> successors_;
  std::unordered_map<UnitMask, Entry> best_;
  std::unordered_map<UnitMask, StageCost> stages_;
  size_t transitions_ = 0;
  bool is_beyond_limit_ = false;
};

}  // namespace

std::optional<StagePartition> best_stages(const TimedGraph& timed, int workers,
                                          const StageLimits& limits) {
  if (timed.size() > kMostMaskedUnits) return std::nullopt;
  return StageSearch(timed, workers, limits).run();
}

}  // namespace opbench
