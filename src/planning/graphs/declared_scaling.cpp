#include "planning/graphs/declared_scaling.h"

#include <array>

namespace opbench {

double ScalingLaw::time_ms(double one_thread_ms, int threads) const {
  const double n = threads;
  return one_thread_ms * (1 + contention * (n - 1) + coherence * n * (n - 1)) / n;
}

ScalingLaw declared_law(const std::string& kind) {
  struct Row {
    const char* beginning;
    ScalingLaw law;
  };
  static const std::array kRows = {Row{"conv2d", {0.01, 1e-5}}, Row{"dense", {0.03, 5e-5}},
                                   Row{"matmul", {0.02, 2e-5}}, Row{"gemm", {0.03, 5e-5}},
                                   Row{"depthwise", {0.03, 5e-5}}};
  for (const Row& row : kRows) {
    if (kind.starts_with(row.beginning)) return row.law;
  }
  return {0.06, 1e-4};
}

TimedGraph with_declared_scaling(TimedGraph timed, int workers, double join_ms) {
  std::vector<int> teams;
  for (int team = 1; team <= workers; team *= 2) teams.push_back(team);
  if (teams.back() != workers) teams.push_back(workers);
  for (size_t i = 0; i < timed.size(); ++i) {
    const ScalingLaw law = declared_law(timed.graph.units[i].kind);
    UnitTimes& unit = timed.times.units[i];
    const double one = unit.times_ms.front();
    unit.times_ms.clear();
    double join = 0;
    for (const int team : teams) {
      unit.times_ms.push_back(law.time_ms(one, team) + join);
      join += join_ms;
    }
  }
  timed.times.teams = std::move(teams);
  timed.times.merges.clear();
  return timed;
}

}  // namespace opbench
