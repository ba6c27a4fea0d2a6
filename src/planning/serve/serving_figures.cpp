#include "planning/serve/serving_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/system/seconds.h"

namespace opbench {

ServingFigures figures_of(const ServingSystem& system, const std::vector<Query>& queries,
                          const ServingRun& run) {
  ServingFigures figures;
  std::vector<double> latencies, late(system.models.size()), asked(system.models.size());
  double in_time = 0, dropped = 0, work_in_time_ms = 0, work_ms = 0;
  for (const Query& query : queries) {
    const QueryOutcome& outcome = run.outcomes[static_cast<size_t>(query.id)];
    const double work = solo_ms(system, query.model);
    const bool is_in_time = !outcome.is_dropped && outcome.end_ms <= query.deadline_ms;
    asked[query.model] += 1;
    work_ms += work;
    if (is_in_time) {
      in_time += 1;
      work_in_time_ms += work;
    } else {
      late[query.model] += 1;
    }
    if (outcome.is_dropped) {
      dropped += 1;
    } else {
      latencies.push_back(outcome.end_ms - query.arrival_ms);
    }
  }
  if (queries.empty()) return figures;
  const auto count = static_cast<double>(queries.size());
  figures.violations = 1 - in_time / count;
  for (size_t i = 0; i < late.size(); ++i) {
    if (asked[i] > 0) {
      figures.worst_violations = std::max(figures.worst_violations, late[i] / asked[i]);
    }
  }
  figures.dropped = dropped / count;
  figures.goodput_per_s = in_time / run.end_ms * kMsPerSecond;
  figures.work_in_time = work_in_time_ms / work_ms;
  figures.median_ms = median(latencies);
  figures.p95_ms = quantile(latencies, 0.95);
  figures.p99_ms = quantile(latencies, 0.99);
  figures.utilisation = run.busy_worker_ms / (run.end_ms * system.workers);
  return figures;
}

Interval range_of(double ServingFigures::*figure) {
  constexpr std::array kShares = {&ServingFigures::violations, &ServingFigures::worst_violations,
                                  &ServingFigures::dropped, &ServingFigures::work_in_time,
                                  &ServingFigures::utilisation};
  const bool is_share = std::ranges::find(kShares, figure) != kShares.end();
  return {0, is_share ? 1 : std::numeric_limits<double>::infinity()};
}

SeedMean mean_over_seeds(std::span<const double> values, Interval range) {
  SeedMean result{.value = mean(values), .interval = {}, .has_interval = values.size() > 1};
  double half = 0;
  if (result.has_interval) {
    const auto count = static_cast<double>(values.size());
    half = student_critical(0.025, count - 1) * standard_deviation(values) / std::sqrt(count);
  }
  result.interval = {std::max(range.low, result.value - half),
                     std::min(range.high, result.value + half)};
  return result;
}

}  // namespace opbench
