#include "planning/planners/stages.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

namespace opbench {
namespace {

constexpr UnitMask stages_bit(int unit) { return UnitMask{1} << unit; }

std::vector<int> units_of(UnitMask mask) {
  std::vector<int> units;
  for (; mask != 0; mask &= mask - 1) units.push_back(std::countr_zero(mask));
  return units;
}

/// The sets of units that edges connect, by their smallest unit.
std::vector<UnitMask> stages_groups_of(const TimedGraph& timed, UnitMask units) {
  std::vector<UnitMask> groups;
  for (const int unit : units_of(units)) {
    UnitMask joined = stages_bit(unit);
    for (const UnitNeed& need : timed.unit(unit).needs) joined |= stages_bit(need.unit) & units;
    std::erase_if(groups, [&](UnitMask group) {
      const bool meets = (group & joined) != 0;
      if (meets) joined |= group;
      return meets;
    });
    groups.push_back(joined);
  }
  std::ranges::sort(groups, {}, [](UnitMask group) { return std::countr_zero(group); });
  return groups;
}

double group_ms(const TimedGraph& timed, const std::vector<int>& units, int workers) {
  double sum = 0;
  for (const int unit : units) sum += fastest_ms(timed, unit, workers);
  return sum;
}

/// Raises the slowest group to the next size of team for as long as there are workers.
double share_out(const TimedGraph& timed, int workers, std::vector<StageGroup>& groups) {
  const size_t sizes = teams_within(timed, workers);
  std::vector<size_t> team(groups.size(), 0);
  std::vector<double> times;
  for (const StageGroup& group : groups) times.push_back(group_ms(timed, group.units, 1));
  int left = workers - static_cast<int>(groups.size());
  while (true) {
    const auto slowest = static_cast<size_t>(std::ranges::max_element(times) - times.begin());
    // The next size that makes it faster.
    size_t next = team[slowest] + 1;
    double time = times[slowest];
    for (; next < sizes; ++next) {
      time = group_ms(timed, groups[slowest].units, timed.times.teams[next]);
      if (time < times[slowest]) break;
    }
    if (next >= sizes) return times[slowest];
    const int more = timed.times.teams[next] - groups[slowest].workers;
    if (more > left) return times[slowest];
    left -= more;
    team[slowest] = next;
    groups[slowest].workers = timed.times.teams[next];
    times[slowest] = time;
  }
}

/// The order in which groups get workers: longest first, then by number.
std::vector<size_t> longest_first(const TimedGraph& timed, const std::vector<StageGroup>& groups) {
  std::vector<size_t> order(groups.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](size_t i) { return group_ms(timed, groups[i].units, 1); });
  return order;
}

double pack(const TimedGraph& timed, int workers, const std::vector<StageGroup>& groups) {
  std::vector<double> loads(static_cast<size_t>(workers), 0);
  for (const size_t i : longest_first(timed, groups)) {
    *std::ranges::min_element(loads) += group_ms(timed, groups[i].units, 1);
  }
  return *std::ranges::max_element(loads);
}

void try_merges(const TimedGraph& timed, int workers, Stage& stage) {
  for (size_t i = 0; i < timed.times.merges.size(); ++i) {
    const MergedUnits& merge = timed.times.merges[i];
    if (merge.units != stage.units) continue;
    for (size_t team = 0; team < teams_within(timed, workers); ++team) {
      if (merge.times_ms[team] >= stage.cost_ms) continue;
      stage.cost_ms = merge.times_ms[team];
      stage.merge = static_cast<int>(i);
      stage.groups.clear();
    }
  }
}

}  // namespace

Stage best_stage(const TimedGraph& timed, int workers, UnitMask units) {
  Stage stage;
  stage.units = units_of(units);
  for (const UnitMask group : stages_groups_of(timed, units)) {
    stage.groups.push_back({units_of(group), 1});
  }
  if (stage.groups.size() == 1) {
    stage.groups.front().workers = workers;
    stage.cost_ms = group_ms(timed, stage.units, workers);
  } else if (static_cast<int>(stage.groups.size()) <= workers) {
    stage.cost_ms = share_out(timed, workers, stage.groups);
  } else {
    stage.cost_ms = pack(timed, workers, stage.groups);
  }
  try_merges(timed, workers, stage);
  return stage;
}

void place_stage(const TimedGraph& timed, const Stage& stage, int workers, ScheduleDraft& draft) {
  if (stage.merge >= 0) {
    const MergedUnits& merge = timed.times.merges[static_cast<size_t>(stage.merge)];
    const auto times = merge.times_ms.begin();
    const auto end = times + static_cast<int64_t>(teams_within(timed, workers));
    draft.place_merged(merge, static_cast<size_t>(std::min_element(times, end) - times));
    return;
  }
  const bool shares = static_cast<int>(stage.groups.size()) > workers;
  std::vector<double> loads(static_cast<size_t>(workers), 0);
  int next = 0;
  for (const size_t i : longest_first(timed, stage.groups)) {
    const StageGroup& group = stage.groups[i];
    int first = next;
    if (shares) {
      const auto least = std::ranges::min_element(loads);
      first = static_cast<int>(least - loads.begin());
      *least += group_ms(timed, group.units, 1);
    } else {
      next += group.workers;
    }
    for (const int unit : group.units) {
      const int size = timed.times.teams[fastest_team(timed, unit, group.workers)];
      std::vector<int> team(static_cast<size_t>(size));
      std::iota(team.begin(), team.end(), first);
      draft.place(unit, draft.spot_on(unit, std::move(team)));
    }
  }
}

}  // namespace opbench
