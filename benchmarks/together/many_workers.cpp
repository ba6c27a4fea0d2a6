// Plans for a machine of 64 workers that does not exist: times of one thread, scaled by declared
// laws, and a simulator.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "benchmarks/together/graphs.h"
#include "benchmarks/together/part.h"
#include "planning/graphs/ceiling.h"
#include "planning/graphs/declared_scaling.h"
#include "planning/planners/planner.h"
#include "planning/plans/plan_check.h"
#include "planning/simulator/simulation.h"

namespace opbench {
namespace {

constexpr int kTogetherManyWorkersWorkers = 64;
constexpr double kTogetherManyWorkersJoinMs =
    0.001;  // declared: what a doubling of a team costs a kernel

using TogetherManyWorkersClock = std::chrono::steady_clock;

double limit_s(const std::string& model) { return model == "nasnetalarge" ? 30 : 1; }

/// The fastest plan in which all units run one after the other on teams of one size.
double best_static_ms(const TimedGraph& timed) {
  double best = 0;
  for (size_t team = 0; team < timed.times.teams.size(); ++team) {
    double sum = 0;
    for (size_t i = 0; i < timed.size(); ++i) sum += timed.time_ms(static_cast<int>(i), team);
    best = team == 0 ? sum : std::min(best, sum);
  }
  return best;
}

Result<void> plan(const NamedGraph& named, Report& report) {
  const TimedGraph timed =
      with_declared_scaling(named.timed, kTogetherManyWorkersWorkers, kTogetherManyWorkersJoinMs);
  const Ceiling ceiling = ceiling_of(timed, kTogetherManyWorkersWorkers);
  report.note(
      fmt::format("{}: {} units, times {}, scaled by declared laws; simulated: one thread "
                  "{:.2f} ms, best size for all {:.2f} ms, bound {:.2f} ms, H {:.2f}",
                  named.name, timed.size(), named.times, ceiling_of(named.timed, 1).area_ms,
                  best_static_ms(timed), ceiling.pieces_ms, ceiling.h_by_pieces()));
  double all_s = 0;
  for (const PlannerDef& planner : planner_table().all()) {
    const auto begin = TogetherManyWorkersClock::now();
    const ExecutionPlan made = planner.plan(timed, {.workers = kTogetherManyWorkersWorkers});
    const double seconds =
        std::chrono::duration<double>(TogetherManyWorkersClock::now() - begin).count();
    all_s = std::max(all_s, seconds);
    OPBENCH_CHECK(check_plan(timed, made));
    OPBENCH_TRY(const Timeline timeline, simulate(timed, made));
    OPBENCH_CHECK(check_timeline(made, timeline));
    report.note(fmt::format(
        "  {:<10} {:>9.3f} ms simulated, {:.2f} × over sequential, {:.0f} % of "
        "workers' time used, planned in {:.3f} s",
        planner.name, timeline.makespan_ms, ceiling.sequential_ms / timeline.makespan_ms,
        utilisation(made, timeline) * 100, seconds));
  }
  report.add({fmt::format("together many-workers {}: seconds of the slowest planner, 64 workers",
                          named.name),
              all_s, limit_s(named.name)});
  return {};
}

Result<void> run_together_many_workers(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const std::vector<NamedGraph> graphs, model_graphs(arguments));
  for (const NamedGraph& graph : graphs) OPBENCH_CHECK(plan(graph, report));
  return {};
}

}  // namespace

TogetherPart many_workers_part() {
  return {.name = "many-workers",
          .summary = "plans for 64 workers, simulated",
          .run = run_together_many_workers};
}

}  // namespace opbench
