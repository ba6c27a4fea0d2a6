#pragma once

#include <string>

#include "base/numbers/random.h"
#include "planning/graphs/timed_graph.h"

namespace opbench {

/// What a graph is drawn from.
struct GraphDraw {
  size_t units = 8;
  double density = 0.25;   ///< of edges among pairs in order
  int workers = 2;         ///< teams of 1, 2, 4 … up to them
  double merge_share = 0;  ///< of pairs of units without a path between them
  double handoff_ms = 0;   ///< of every edge
  double transfer_ms = 0;  ///< of every edge
  int weight_sets = 0;     ///< that units read in turns; 0: none reads weights of another
};

/// Units that scale by Amdahl's law with a serial share of 0 to 0.5, and edges at random.
inline TimedGraph random_unit_graph(const GraphDraw& draw, uint64_t seed) {
  Random random(seed, "unit graph");
  TimedGraph timed;
  std::vector<int>& teams = timed.times.teams;
  teams.clear();
  for (int team = 1; team <= draw.workers; team *= 2) teams.push_back(team);
  for (size_t i = 0; i < draw.units; ++i) {
    GraphUnit unit{.name = "u" + std::to_string(i), .kind = "k" + std::to_string(i % 3)};
    for (size_t j = 0; j < i; ++j) {
      if (random.uniform() >= draw.density) continue;
      unit.needs.push_back({static_cast<int>(j)});
    }
    UnitTimes times;
    const double one = 0.1 + 2 * random.uniform();
    const double serial = 0.5 * random.uniform();
    for (const int team : teams) {
      times.times_ms.push_back(one * (serial + (1 - serial) / team));
    }
    if (draw.weight_sets > 0) {
      unit.weights = static_cast<int>(i) % draw.weight_sets;
      times.reuse_ms = 0.5 * random.uniform() * times.times_ms.front();
    }
    const EdgeCost cost{draw.handoff_ms, draw.transfer_ms};
    const std::vector<EdgeCost> costs(unit.needs.size(), cost);
    timed.add(std::move(unit), std::move(times), costs);
  }
  const auto ancestors = ancestors_of(timed.graph);
  for (size_t i = 0; i < timed.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (ancestors[i][j] || random.uniform() >= draw.merge_share) continue;
      MergedUnits merge{.units = {static_cast<int>(j), static_cast<int>(i)}};
      const double share = 0.6 + 0.6 * random.uniform();
      for (size_t team = 0; team < teams.size(); ++team) {
        merge.times_ms.push_back(share * (timed.time_ms(static_cast<int>(i), team) +
                                          timed.time_ms(static_cast<int>(j), team)));
      }
      timed.times.merges.push_back(std::move(merge));
    }
  }
  return timed;
}

}  // namespace opbench
