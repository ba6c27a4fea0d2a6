// Placement on devices that share nothing: equilibria, HEFT, greedy and the optimum; energy within
// a makespan; splits of one operator.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"
#include "benchmarks/together/part.h"
#include "benchmarks/together/ratio.h"
#include "planning/place/partition.h"
#include "planning/place/placement_methods.h"
#include "random_placement.h"

namespace opbench {
namespace {

constexpr int kProblems = 200;

void makespans(const PlacementDraw& draw, Report& report) {
  OverOptimum game, worst_start, heft, greedy, own;
  int moves = 0;
  for (int i = 0; i < kProblems; ++i) {
    const PlacementProblem problem = random_placement(draw, static_cast<uint64_t>(i));
    const std::vector<int> order = rank_order(problem);
    const auto ms = [&](const Placement& placement) {
      return cost_of(problem, order, placement).makespan_ms;
    };
    const double best = ms(best_placement(problem, {}));
    const Equilibrium found = find_equilibrium(problem, {}, {.seed = static_cast<uint64_t>(i)});
    game.add(ms(found.placement) / best);
    worst_start.add(found.worst_ms / best);
    moves += found.moves;
    heft.add(ms(heft_placement(problem)) / best);
    greedy.add(ms(greedy_placement(problem)) / best);
    own.add(ms(own_fastest(problem)) / best);
  }
  const std::string what =
      fmt::format("{} devices, {} units, affinity {}{}", draw.devices, draw.units, draw.affinity,
                  draw.density > 0 ? ", with needs" : "");
  report.note(
      fmt::format("{}: over the optimum, mean and worst of {}: equilibrium {}, worst of its "
                  "starts {}, HEFT {}, greedy {}, own fastest {}; {:.1f} moves",
                  what, kProblems, game.text(), worst_start.text(), heft.text(), greedy.text(),
                  own.text(), moves / double{kProblems}));
  report.add({"together placement: equilibrium over optimum, mean, " + what, game.mean(), 1.03});
  report.add({"together placement: equilibrium over optimum, worst, " + what, game.worst, 1.15});
}

void energy(Report& report) {
  OverOptimum game;
  double saved = 0;
  int late = 0;
  for (int i = 0; i < kProblems; ++i) {
    const auto seed = static_cast<uint64_t>(i);
    const PlacementProblem problem = random_placement(
        {.units = 6 + seed % 10, .density = 0.15 * (i % 3), .has_energy = true}, seed);
    const std::vector<int> order = rank_order(problem);
    const Placement alone(problem.size(), 0);
    const PlacementCost base = cost_of(problem, order, alone);
    const PlacementGoal goal{.least_energy_within_ms = base.makespan_ms};
    const Equilibrium found = find_equilibrium(problem, goal, {.more_starts = {alone}});
    const PlacementCost cost = cost_of(problem, order, found.placement);
    const double best = cost_of(problem, order, best_placement(problem, goal)).energy_mj;
    game.add(cost.energy_mj / best);
    saved += 1 - cost.energy_mj / base.energy_mj;
    late += cost.makespan_ms > base.makespan_ms ? 1 : 0;
  }
  report.note(
      fmt::format("energy, modelled, 6 to 15 units on 2 devices: over the optimum, mean and "
                  "worst of {}: {}; {:.1f} % less than the first device alone",
                  kProblems, game.text(), saved / kProblems * 100));
  report.add(
      {"together placement: energy over optimum, percent, worst", (game.worst - 1) * 100, 3});
  report.add({"together placement: makespans longer than the first device's alone",
              static_cast<double>(late), 0});
}

/// Devices in steps of a tile with a speed that changes: rounds until the split is near the best.
void together_placement_balance(Report& report) {
  constexpr int kParts = 64;
  Random random(0, "balance");
  OverOptimum split;
  int most_rounds = 0;
  for (int i = 0; i < kProblems; ++i) {
    const double first = 0.2 + random.uniform();
    double second = 0.2 + random.uniform();
    const auto best_ms = [&] {
      return best_split({.parts = kParts,
                         .first_ms = [&](int parts) { return parts / first; },
                         .second_ms = [&](int parts) { return parts / second; }})
          .time_ms;
    };
    const auto even = [](int parts) { return double(parts); };  // what is learnt is not expected
    SplitBalancer balancer({.parts = kParts, .first_ms = even, .second_ms = even}, kParts / 2, {});
    const auto round = [&] {
      const int parts = balancer.first_parts();
      balancer.tell(parts / first * (1 + 0.01 * double{random.normal()}),
                    (kParts - parts) / second * (1 + 0.01 * double{random.normal()}));
      const int now = balancer.first_parts();
      return std::max(now / first, (kParts - now) / second) / best_ms();
    };
    for (int settle = 0; settle < 10; ++settle) round();
    second *= 0.25 + 0.5 * random.uniform();  // a neighbour arrives
    int rounds = 0;
    double ratio = 2;
    while (ratio > 1.06 && rounds < 20) {
      ratio = round();
      ++rounds;
    }
    most_rounds = std::max(most_rounds, rounds);
    split.add(ratio);
  }
  report.note(
      fmt::format("balance, simulated, 1 % noise: rounds until within 6 % of the best split "
                  "after a slow-down, at most {}; then over it {}",
                  most_rounds, split.text()));
  report.add({"together placement: rounds to follow a device that slows down",
              static_cast<double>(most_rounds), 5});
}

Result<void> run_together_placement(const Arguments&, Report& report) {
  for (const double affinity : {1.0, 8.0, 30.0}) {
    makespans({.devices = 2, .units = 10, .affinity = affinity}, report);
    makespans({.devices = 3, .units = 9, .affinity = affinity}, report);
  }
  makespans({.devices = 2, .units = 10, .affinity = 8, .density = 0.25}, report);
  energy(report);
  together_placement_balance(report);
  return {};
}

}  // namespace

TogetherPart placement_part() {
  return {.name = "placement",
          .summary = "devices that share nothing: equilibria beside the optimum, energy, splits",
          .run = run_together_placement};
}

}  // namespace opbench
