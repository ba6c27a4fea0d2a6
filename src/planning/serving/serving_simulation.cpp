#include "planning/serving/serving_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace opbench {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// A launch on its way.
struct Flight {
  WaitingQuery query;  ///< `segment` is the one that runs
  size_t end_segment = 0;
  size_t team = 0;
  std::vector<int> workers;
  double left_ms = 0;  ///< of this segment, without neighbours
  double rate = 1;
  double segment_start_ms = 0;
  double spent_ms = 0;  ///< since the launch
};

class Simulation {
 public:
  Simulation(const ServingSystem& system, const std::vector<Query>& queries,
             const PolicyDef& policy, const PolicyVariant& variant, const ServingOptions& options)
      : system_(system),
        queries_(queries),
        policy_(policy),
        variant_(variant),
        options_(options),
        rests_(system) {
    for (int worker = system.workers; worker-- > 0;) free_.push_back(worker);
    run_.outcomes.resize(queries.size(), {.end_ms = kNever});
  }

  Result<ServingRun> run() {
    while (true) {
      const double next = next_event();
      if (next == kNever) {
        if (waiting_.empty()) break;
        return wrong("decides nothing while queries wait and nothing runs");
      }
      advance(next);
      take_arrivals();
      if (!free_.empty() && !waiting_.empty()) OPBENCH_CHECK(decide());
      set_rates();
    }
    run_.end_ms = now_;
    return std::move(run_);
  }

 private:
  Error wrong(const std::string& what) const {
    return {ErrorCode::kSystem, fmt::format("policy \"{}\" {} at {} ms", policy_.name, what, now_)};
  }

  double next_event() const {
    double next = arrived_ < queries_.size() ? queries_[arrived_].arrival_ms : kNever;
    for (const Flight& flight : flights_) {
      next = std::min(next, now_ + flight.left_ms / flight.rate);
    }
    return next;
  }

  /// Lets time pass until `next`, where the segments that end then end exactly.
  void advance(double next) {
    const double passed = next - now_;
    for (size_t i = 0; i < flights_.size();) {
      Flight& flight = flights_[i];
      const bool has_ended = now_ + flight.left_ms / flight.rate <= next;
      flight.left_ms -= passed * flight.rate;
      flight.spent_ms += passed;
      run_.busy_worker_ms += passed * static_cast<double>(flight.workers.size());
      if (has_ended && end_segment(flight, next)) {
        flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    now_ = next;
  }

  /// True when the launch has ended with it.
  bool end_segment(Flight& flight, double end_ms) {
    if (options_.keeps_spans) {
      for (const int worker : flight.workers) {
        run_.spans.push_back(
            {worker, flight.query.id, flight.query.segment, flight.segment_start_ms, end_ms});
      }
    }
    ++flight.query.segment;
    if (flight.query.segment < flight.end_segment) {
      flight.left_ms = drawn_ms(flight);
      flight.segment_start_ms = end_ms;
      return false;
    }
    free_.insert(free_.end(), flight.workers.begin(), flight.workers.end());
    std::ranges::sort(free_, std::greater<>());
    if (flight.query.segment == system_.models[flight.query.model].segments.size()) {
      run_.outcomes[static_cast<size_t>(flight.query.id)].end_ms = end_ms;
    } else {
      add_waiting(flight.query);
    }
    return true;
  }

  double drawn_ms(const Flight& flight) const {
    const Segment& segment = system_.models[flight.query.model].segments[flight.query.segment];
    const Query& query = queries_[static_cast<size_t>(flight.query.id)];
    return segment.times_ms[flight.team] * query.factors[flight.query.segment];
  }

  void add_waiting(const WaitingQuery& query) {
    waiting_.insert(std::ranges::upper_bound(waiting_, query.id, {}, &WaitingQuery::id), query);
  }

  void take_arrivals() {
    for (; arrived_ < queries_.size() && queries_[arrived_].arrival_ms <= now_; ++arrived_) {
      const Query& query = queries_[arrived_];
      add_waiting({query.id, query.model, query.arrival_ms, query.deadline_ms, 0});
    }
  }

  /// The launches as the policy may see them: what is left is predicted, not drawn.
  std::vector<RunningQuery> seen_flights() const {
    std::vector<RunningQuery> seen;
    for (const Flight& flight : flights_) {
      RunningQuery one{.query = flight.query, .team = flight.team};
      const size_t model = flight.query.model;
      one.left_ms = rests_.rest_ms(model, flight.query.segment, flight.team) -
                    rests_.rest_ms(model, flight.end_segment, flight.team) -
                    (now_ - flight.segment_start_ms);
      one.left_ms = std::max(0.0, one.left_ms);
      one.query.segment = flight.end_segment;
      seen.push_back(std::move(one));
    }
    return seen;
  }

  Result<void> decide() {
    const std::vector<RunningQuery> seen = seen_flights();
    const ServingState state{.now_ms = now_,
                             .free_workers = static_cast<int>(free_.size()),
                             .system = system_,
                             .rests = rests_,
                             .slow_down = options_.predicted,
                             .waiting = waiting_,
                             .running = seen};
    const Decision decision = policy_.decide(state, variant_);
    for (const int id : decision.drops) {
      OPBENCH_CHECK(take(id).map([](const WaitingQuery&) {}));
      run_.outcomes[static_cast<size_t>(id)].is_dropped = true;
    }
    for (const Launch& launch : decision.launches) OPBENCH_CHECK(start(launch));
    return {};
  }

  /// Takes a query out of those that wait.
  Result<WaitingQuery> take(int id) {
    const auto found = std::ranges::find(waiting_, id, &WaitingQuery::id);
    if (found == waiting_.end())
      return wrong(fmt::format("names query {}, which does not wait", id));
    const WaitingQuery query = *found;
    waiting_.erase(found);
    return query;
  }

  Result<void> start(const Launch& launch) {
    OPBENCH_TRY(const WaitingQuery query, take(launch.query));
    const size_t segments = system_.models[query.model].segments.size();
    const bool is_there = launch.segments > 0 && query.segment + launch.segments <= segments &&
                          launch.team < system_.teams.size();
    if (!is_there) return wrong(fmt::format("launches what query {} does not have", query.id));
    const auto size = static_cast<size_t>(system_.teams[launch.team]);
    if (size > free_.size()) {
      return wrong(fmt::format("wants {} workers where {} are free", size, free_.size()));
    }
    Flight flight{.query = query,
                  .end_segment = query.segment + launch.segments,
                  .team = launch.team,
                  .segment_start_ms = now_};
    flight.workers.assign(free_.rbegin(), free_.rbegin() + static_cast<std::ptrdiff_t>(size));
    free_.resize(free_.size() - size);
    flight.left_ms = options_.launch_ms + drawn_ms(flight);
    flights_.push_back(std::move(flight));
    ++run_.launches;
    return {};
  }

  void set_rates() {
    if (!options_.slow_down) return;
    for (size_t i = 0; i < flights_.size(); ++i) {
      std::vector<SegmentPlace> others;
      for (size_t j = 0; j < flights_.size(); ++j) {
        if (j != i) others.push_back({flights_[j].query.model, flights_[j].query.segment});
      }
      const SegmentPlace own{flights_[i].query.model, flights_[i].query.segment};
      flights_[i].rate = 1 / slow_down_of(options_.slow_down, own, others);
    }
  }

  const ServingSystem& system_;
  const std::vector<Query>& queries_;
  const PolicyDef& policy_;
  const PolicyVariant& variant_;
  const ServingOptions& options_;
  const RestTimes rests_;
  double now_ = 0;
  size_t arrived_ = 0;
  std::vector<int> free_;  ///< descending, so that the smallest is taken from the end
  std::vector<WaitingQuery> waiting_;
  std::vector<Flight> flights_;
  ServingRun run_;
};

}  // namespace

Result<ServingRun> simulate_serving(const ServingSystem& system, const std::vector<Query>& queries,
                                    const PolicyDef& policy, const PolicyVariant& variant,
                                    const ServingOptions& options) {
  return Simulation(system, queries, policy, variant, options).run();
}

Result<void> check_run(const ServingSystem& system, const std::vector<Query>& queries,
                       const ServingRun& run) {
  const auto invalid = [](std::string message) {
    return Error{ErrorCode::kInvalidInput, std::move(message)};
  };
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
