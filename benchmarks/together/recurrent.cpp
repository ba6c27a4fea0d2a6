// LSTM cells on two workers: a static plan beside the same units one after the other, on a pool
// that waits with a condition variable and on ours, which spins. A chain of units is the control.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <future>

#include "base/files/file.h"
#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "benchmarks/together/part.h"
#include "benchmarks/together/ways.h"
#include "engines/protocol/engine_threads.h"
#include "machine/facts/topology.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"
#include "measuring/results/statistics.h"
#include "planning/graphs/ceiling.h"
#include "planning/planners/planner.h"
#include "planning/plans/plan_check.h"
#include "planning/simulator/simulation.h"

namespace opbench {
namespace {

constexpr int kTogetherRecurrentWorkers = 2;
constexpr double kOverCondition = 1.5;
constexpr double kOverSpinning = 1.1;
constexpr double kControl = 0.03;
constexpr int kWarmUps = 4;
constexpr size_t kFewestPairedRounds = 12;  // undisturbed ones, to leave out the others

struct Way {
  std::string name;
  std::function<int()> run;
};

struct Round {
  std::vector<double> ms;     ///< by way
  bool is_disturbed = false;  ///< a thread of this process lost its CPU to another
};

int64_t preemptions() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

/// Every way once, the first one another in every round; each runs before it is timed, so that the
/// threads of the others sleep and caches hold what is its own.
Result<Round> round_of(const std::vector<Way>& ways, size_t first) {
  Round round{.ms = std::vector<double>(ways.size())};
  for (size_t i = 0; i < ways.size(); ++i) {
    const size_t at = (first + i) % ways.size();
    for (int run = 0; run < kWarmUps; ++run) {
      if (ways[at].run() != 0) return Error{ErrorCode::kSystem, "a kernel failed"};
    }
    const int64_t before = preemptions();
    const double begin = monotonic_s();
    if (ways[at].run() != 0) return Error{ErrorCode::kSystem, "a kernel failed"};
    round.ms[at] = s_to_ms(monotonic_s() - begin);
    round.is_disturbed = round.is_disturbed || preemptions() != before;
  }
  return round;
}

std::vector<double> together_recurrent_ratios_of(const std::vector<Round>& rounds, size_t slow,
                                                 size_t fast) {
  std::vector<double> ratios;
  for (const Round& round : rounds) ratios.push_back(round.ms[slow] / round.ms[fast]);
  return ratios;
}

std::string speedup_text(const std::vector<double>& ratios) {
  const Interval interval = median_interval(ratios, 0);
  return fmt::format("{:.3f} × [{:.3f}, {:.3f}]", median(ratios), interval.low, interval.high);
}

/// Rounds until the budget is spent; the undisturbed ones where they are enough.
Result<std::vector<Round>> rounds_of(const std::vector<Way>& ways, double budget_s,
                                     Report& report) {
  std::vector<Round> all, quiet;
  const double end = monotonic_s() + budget_s;
  for (size_t i = 0; monotonic_s() < end || all.size() < kFewestPairedRounds; ++i) {
    OPBENCH_TRY(all.emplace_back(), round_of(ways, i));
    if (!all.back().is_disturbed) quiet.push_back(all.back());
  }
  const bool is_quiet = quiet.size() >= kFewestPairedRounds;
  report.note(fmt::format("  {} of {} rounds undisturbed{}", quiet.size(), all.size(),
                          is_quiet ? "" : ": too few, all of them count"));
  return is_quiet ? quiet : all;
}

Result<ExecutionPlan> plan_of(const std::string& planner, const TimedGraph& timed, Report& report) {
  OPBENCH_TRY(const PlannerDef* definition, planner_table().find(planner));
  const double begin = monotonic_s();
  ExecutionPlan plan = definition->plan(timed, {.workers = kTogetherRecurrentWorkers});
  const double seconds = monotonic_s() - begin;
  OPBENCH_CHECK(check_plan(timed, plan));
  const Ceiling ceiling = ceiling_of(timed, kTogetherRecurrentWorkers);
  report.note(fmt::format(
      "  {} units, ceiling H {:.3f}; {} predicted {:.3f} ×, planned in {:.2f} s", timed.size(),
      ceiling.h_by_pieces(), planner, ceiling.sequential_ms / simulated_ms(timed, plan), seconds));
  return plan;
}

/// The units' times in the order of the ways, and bars for the ratios.
void report_ratios(const std::string& model, bool is_control, const std::vector<Way>& ways,
                   const std::vector<Round>& rounds, Report& report) {
  for (size_t way = 0; way < ways.size(); ++way) {
    std::vector<double> times;
    for (const Round& round : rounds) times.push_back(round.ms[way]);
    std::ranges::sort(times);
    report.note(fmt::format("  {:<32} {:8.3f} ms, quartiles {:.3f} to {:.3f}", ways[way].name,
                            median(times), times[times.size() / 4], times[times.size() * 3 / 4]));
  }
  const auto over_condition = together_recurrent_ratios_of(rounds, 0, 2);
  const auto over_spinning = together_recurrent_ratios_of(rounds, 1, 2);
  report.note("  plan over the pool with a condition variable " + speedup_text(over_condition));
  report.note("  of that: spinning instead of sleeping        " +
              speedup_text(together_recurrent_ratios_of(rounds, 0, 1)));
  report.note("           units side by side                  " + speedup_text(over_spinning));
  const std::string name = "together recurrent " + model;
  if (is_control) {
    report.add({name + ": the plan's gain over our pool, a chain of units: at most",
                std::abs(median(over_spinning) - 1), kControl});
    return;
  }
  report.add({name + ": time over that of a pool with a condition variable",
              1 / median(over_condition), 1 / kOverCondition});
  report.add({name + ": time over that of our pool", 1 / median(over_spinning), 1 / kOverSpinning});
}

Result<void> contest(const std::string& model, bool is_control, const Arguments& arguments,
                     const std::vector<int>& cpus, Report& report) {
  OPBENCH_TRY(const double budget_s, arguments.positive("--budget"));
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  report.note(model + ":");
  const double begin = monotonic_s();
  ModelWays made(model, cpus);
  OPBENCH_CHECK(made.open(folder.path()));
  OPBENCH_TRY(const TimedGraph timed, made.graph());
  OPBENCH_TRY(const ExecutionPlan plan, plan_of(arguments.value("--planner"), timed, report));
  OPBENCH_CHECK(made.add_plan(plan));
  OPBENCH_TRY(const std::vector<bool> has_loop, made.steps_with_loops());
  report.note(fmt::format("  {} of {} kernels share a loop among threads; {}",
                          std::ranges::count(has_loop, true), has_loop.size(),
                          made.share_memory() ? "all ways on both CPUs run from one package"
                                              : "the plan has kernels of its own"));
  report.note(fmt::format("  prepared and timed in {:.1f} s", monotonic_s() - begin));
  OPBENCH_TRY(const bool are_right, made.are_outputs_right());
  report.add({fmt::format("together recurrent {}: outputs with other bits", model),
              are_right ? 0.0 : 1.0, 0});
  const std::vector<Way> ways = {
      {"in order, condition variable", [&] { return made.run_on_condition_pool(); }},
      {"in order, our spinning pool", [&] { return made.run_spinning(); }},
      {"plan, two workers", [&] { return made.run_plan(); }},
      {"in order, one thread", [&] { return made.run_alone(); }}};
  OPBENCH_TRY(const std::vector<Round> rounds, rounds_of(ways, budget_s, report));
  report_ratios(model, is_control, ways, rounds, report);
  return {};
}

Result<void> run_together_recurrent(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const Topology topology, this_topology());
  OPBENCH_TRY(const std::vector<int> cpus,
              choose_cpus(topology, kTogetherRecurrentWorkers, current_affinity()));
  // On a thread of its own, which is pinned.
  return std::async(std::launch::async,
                    [&]() -> Result<void> {
                      pin_calling_thread(cpus.front());
                      for (const char* model : {"lstm-cells", "lstm-cells-joined"}) {
                        OPBENCH_CHECK(contest(model, false, arguments, cpus, report));
                      }
                      return contest("alexnet", true, arguments, cpus, report);
                    })
      .get();
}

}  // namespace

TogetherPart recurrent_part() {
  return {.name = "recurrent",
          .summary = "LSTM cells, cell by cell: a static plan and two pools, in turns",
          .run = run_together_recurrent};
}

}  // namespace opbench
