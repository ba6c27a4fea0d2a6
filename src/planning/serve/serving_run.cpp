#include "planning/serve/serving_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace opbench {

Result<void> check_run(const ServingSystem& system, const std::vector<Query>& queries,
                       const ServingRun& run) {
  const auto invalid = [](std::string message) { return invalid_input(std::move(message)); };
  std::vector<double> free_from(static_cast<size_t>(system.workers), 0);
  std::vector<size_t> next(queries.size(), 0);
  std::vector<double> ready(queries.size(), 0);
  for (const Query& query : queries) ready[static_cast<size_t>(query.id)] = query.arrival_ms;
  std::vector<ServingSpan> spans = run.spans;
  std::ranges::stable_sort(spans, {}, &ServingSpan::start_ms);
  for (const ServingSpan& span : spans) {
    const auto worker = static_cast<size_t>(span.worker);
    const auto query = static_cast<size_t>(span.query);
    if (worker >= free_from.size() || span.start_ms < free_from[worker]) {
      return invalid(
          fmt::format("worker {} runs two things at once at {} ms", span.worker, span.start_ms));
    }
    free_from[worker] = span.end_ms;
    const bool is_team_mate =
        next[query] > 0 && span.segment + 1 == next[query] && span.end_ms == ready[query];
    if (is_team_mate) continue;
    if (span.segment != next[query] || span.start_ms < ready[query]) {
      return invalid(fmt::format("query {} runs segment {} out of turn at {} ms", span.query,
                                 span.segment, span.start_ms));
    }
    ++next[query];
    ready[query] = span.end_ms;
  }
  for (const Query& query : queries) {
    const auto id = static_cast<size_t>(query.id);
    const QueryOutcome& outcome = run.outcomes[id];
    const bool is_whole = next[id] == system.models[query.model].segments.size();
    if (outcome.is_dropped ? is_whole : !is_whole || outcome.end_ms != ready[id]) {
      return invalid(fmt::format("query {} ran {} segments, and its outcome says otherwise",
                                 query.id, next[id]));
    }
  }
  return {};
}

}  // namespace opbench
