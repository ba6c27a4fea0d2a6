#include "planning/planners/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/numbers/random.h"

namespace opbench {
namespace {

/// Gives the units of `drawn`, a copy of the graph, other times.
void draw_times(const TimedGraph& timed, Random& random, TimedGraph& drawn) {
  for (size_t i = 0; i < timed.size(); ++i) {
    const UnitTimes& unit = timed.times.units[i];
    for (size_t team = 0; team < unit.times_ms.size(); ++team) {
      const double factor = std::exp(unit.spread * double{random.normal()});
      drawn.times.units[i].times_ms[team] = unit.times_ms[team] * factor;
      if (team == 0) drawn.times.units[i].reuse_ms = unit.reuse_ms * factor;
    }
  }
}

/// As many as are simulated in some seconds.
int draws_for(const TimedGraph& timed, const SelectionOptions& options) {
  constexpr size_t kMostUnits = 300000;
  constexpr size_t kFewestDraws = 20;
  const size_t most = std::max(kFewestDraws, kMostUnits / std::max<size_t>(1, timed.size()));
  return std::min(options.draws, static_cast<int>(most));
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double at = share * static_cast<double>(values.size() - 1);
  return values[static_cast<size_t>(std::lround(at))];
}

std::vector<size_t> promising_plans(const std::vector<ExecutionPlan>& plans,
                                    const std::vector<PredictedSpeedup>& speedups,
                                    double least_gain) {
  std::vector<size_t> result;
  for (size_t i = 1; i < plans.size(); ++i) {
    if (speedups[i].ratio <= 1 + least_gain || speedups[i].low <= 1) continue;
    const bool is_known = std::ranges::any_of(
        result, [&](size_t earlier) { return plans[earlier].steps == plans[i].steps; });
    if (!is_known) result.push_back(i);
  }
  std::ranges::stable_sort(result, std::greater{}, [&](size_t i) { return speedups[i].ratio; });
  return result;
}

std::string percent(double ratio) { return fmt::format("{:+.1f} %", (ratio - 1) * 100); }

}  // namespace

PlanSelection select_plan(const TimedGraph& timed, const std::vector<ExecutionPlan>& plans,
                          const SelectionOptions& options) {
  PlanSelection selection;
  std::vector<std::vector<double>> ratios(plans.size());
  Random random(options.seed, "plan selection");
  TimedGraph times = timed;
  const int draws = draws_for(timed, options);
  for (int draw = 0; draw <= draws; ++draw) {
    if (draw > 0) draw_times(timed, random, times);
    const double base = simulated_ms(times, plans.front(), options.simulation);
    for (size_t i = 0; i < plans.size(); ++i) {
      const double ratio = base / simulated_ms(times, plans[i], options.simulation);
      if (draw == 0) selection.speedups.push_back({ratio, ratio, ratio});
      if (draw > 0) ratios[i].push_back(ratio);
    }
  }
  for (size_t i = 0; i < plans.size(); ++i) {
    if (ratios[i].empty()) continue;
    selection.speedups[i].low = quantile(ratios[i], 0.025);
    selection.speedups[i].high = quantile(ratios[i], 0.975);
  }
  const auto best = std::ranges::max_element(selection.speedups, {}, &PredictedSpeedup::ratio);
  const auto at = static_cast<size_t>(best - selection.speedups.begin());
  const std::string name = plans[at].planner;
  if (at == 0) {
    selection.reason = "no plan is predicted to be faster than sequential";
  } else if (best->ratio <= 1 + options.least_gain) {
    selection.reason =
        fmt::format("sequential stays: {} is predicted to gain {}, less than {:.0f} %", name,
                    percent(best->ratio), options.least_gain * 100);
  } else if (best->low <= 1) {
    selection.reason = fmt::format("sequential stays: the interval of {}'s gain, {} to {}, holds 0",
                                   name, percent(best->low), percent(best->high));
  } else {
    selection.chosen = at;
    selection.promising = promising_plans(plans, selection.speedups, options.least_gain);
    selection.reason = fmt::format("{} is predicted to gain {}, interval {} to {}", name,
                                   percent(best->ratio), percent(best->low), percent(best->high));
  }
  return selection;
}

}  // namespace opbench
