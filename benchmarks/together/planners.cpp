// Planners beside the optimum of all schedules, on random graphs.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "benchmarks/together/part.h"
#include "benchmarks/together/ratio.h"
#include "planning/graphs/ceiling.h"
#include "planning/planners/optimum.h"
#include "planning/planners/planner.h"
#include "planning/simulator/simulation.h"
#include "random_unit_graph.h"

namespace opbench {
namespace {

struct TogetherPlannersRow {
  size_t units;
  int workers;
  double density;
  int graphs;
};

constexpr TogetherPlannersRow kRows[] = {{8, 2, 0.25, 200},
                                         {10, 2, 0.25, 200},
                                         {10, 2, 0.15, 200},
                                         {12, 2, 0.2, 100},
                                         {8, 4, 0.25, 100}};
constexpr double kBeamLimit = 1.012;  // mean over the optimum
constexpr size_t kMostStates = 20000000;

Result<void> together_planners_compare(const TogetherPlannersRow& row, Report& report) {
  std::map<std::string, OverOptimum> ratios;
  OverOptimum bound;
  for (int i = 0; i < row.graphs; ++i) {
    const TimedGraph timed =
        random_unit_graph({.units = row.units, .density = row.density, .workers = row.workers},
                          static_cast<uint64_t>(i));
    const auto best = optimum_ms(timed, row.workers, kMostStates);
    if (!best) continue;
    bound.add(*best / ceiling_of(timed, row.workers).pieces_ms);
    for (const PlannerDef& planner : planner_table().all()) {
      OPBENCH_TRY(const Timeline timeline,
                  simulate(timed, planner.plan(timed, {.workers = row.workers})));
      ratios[planner.name].add(timeline.makespan_ms / *best);
    }
  }
  const std::string what =
      fmt::format("{} units, {} workers, density {}", row.units, row.workers, row.density);
  const int compared = bound.count;
  std::string line =
      fmt::format("{}, {} graphs; over the optimum, mean and worst:", what, compared);
  for (const auto& [name, ratio] : ratios) {
    line += fmt::format("  {} {}", name, ratio.text());
  }
  line += "; optimum over the ceiling's bound " + bound.text();
  report.note(line);
  report.add({"together planners: beam over the optimum, mean, " + what, ratios["beam"].mean(),
              kBeamLimit, compared > 0 ? "" : "no optimum"});
  return {};
}

Result<void> run_together_planners(const Arguments&, Report& report) {
  for (const TogetherPlannersRow& row : kRows)
    OPBENCH_CHECK(together_planners_compare(row, report));
  return {};
}

}  // namespace

TogetherPart planners_part() {
  return {.name = "planners",
          .summary = "planners beside the optimum of all schedules, random graphs",
          .run = run_together_planners};
}

}  // namespace opbench
