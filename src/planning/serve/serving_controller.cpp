#include "planning/serve/serving_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace opbench {
namespace {

constexpr double kServingControllerNever = std::numeric_limits<double>::infinity();

/// A launch on its way.
struct ServingControllerFlight {
  WaitingQuery query;  ///< `segment` is the one that runs
  StartedLaunch launch;
  double start_ms = 0;
};

class Controller {
 public:
  Controller(const ServingSystem& system, const std::vector<Query>& queries,
             const PolicyDef& policy, const PolicyVariant& variant,
             const ControllerOptions& options, ServingWorkers& workers)
      : system_(system),
        queries_(queries),
        policy_(policy),
        variant_(variant),
        options_(options),
        workers_(workers),
        rests_(system),
        in_flight_(system.models.size(), 0) {
    for (int worker = system.workers; worker-- > 0;) free_.push_back(worker);
    run_.outcomes.resize(queries.size(), {.end_ms = kServingControllerNever});
  }

  Result<ServingRun> run() {
    while (true) {
      const double arrival =
          arrived_ < queries_.size() ? queries_[arrived_].arrival_ms : kServingControllerNever;
      if (arrival == kServingControllerNever && flights_.empty()) {
        if (waiting_.empty()) break;
        return wrong("decides nothing while queries wait and nothing runs");
      }
      OPBENCH_TRY(const ServingEvent event, workers_.wait(arrival));
      OPBENCH_CHECK(take(event));
      take_arrivals();
      bool is_asked = !free_.empty() && !waiting_.empty();
      while (is_asked) {
        OPBENCH_TRY(is_asked, decide());
      }
    }
    run_.end_ms = now_;
    return std::move(run_);
  }

 private:
  Error wrong(const std::string& what) const {
    return {ErrorCode::kSystem, fmt::format("policy \"{}\" {} at {} ms", policy_.name, what, now_)};
  }

  Result<void> take(const ServingEvent& event) {
    for (const ServingControllerFlight& flight : flights_) {
      run_.busy_worker_ms +=
          (event.now_ms - now_) * static_cast<double>(flight.launch.workers.size());
    }
    now_ = event.now_ms;
    for (const EndedSegment& ended : event.ended) OPBENCH_CHECK(end_segment(ended));
    return {};
  }

  Result<void> end_segment(const EndedSegment& ended) {
    const auto flight = std::ranges::find_if(
        flights_, [&](const ServingControllerFlight& one) { return one.query.id == ended.query; });
    if (flight == flights_.end() || flight->query.segment != ended.segment) {
      return Error{ErrorCode::kSystem, fmt::format("segment {} of query {} ended and did not run",
                                                   ended.segment, ended.query)};
    }
    if (options_.keeps_spans) {
      for (const int worker : flight->launch.workers) {
        run_.spans.push_back({worker, ended.query, ended.segment, ended.start_ms, ended.end_ms});
      }
    }
    if (++flight->query.segment < flight->launch.end_segment) return {};
    end_launch(*flight, ended.end_ms);
    flights_.erase(flight);
    return {};
  }

  void end_launch(const ServingControllerFlight& flight, double end_ms) {
    const std::vector<int>& workers = flight.launch.workers;
    free_.insert(free_.end(), workers.begin(), workers.end());
    std::ranges::sort(free_, std::greater<>());
    if (flight.query.segment < system_.models[flight.query.model].segments.size()) {
      add_waiting(flight.query);
      return;
    }
    run_.outcomes[static_cast<size_t>(flight.query.id)].end_ms = end_ms;
    forget(flight.query);
  }

  void forget(const WaitingQuery& query) {
    --in_flight_[query.model];
    workers_.forget(query.id);
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

  /// Those that wait, but no more new ones of a model than may begin.
  std::vector<WaitingQuery> seen_queries() const {
    if (options_.most_in_flight == 0) return waiting_;
    std::vector<size_t> in_flight = in_flight_;
    std::vector<WaitingQuery> seen;
    for (const WaitingQuery& query : waiting_) {
      const bool is_new = query.segment == 0;
      if (is_new && in_flight[query.model]++ >= options_.most_in_flight) continue;
      seen.push_back(query);
    }
    return seen;
  }

  /// The launches as the policy may see them: what is left is predicted.
  std::vector<RunningQuery> seen_flights() const {
    std::vector<RunningQuery> seen;
    for (const ServingControllerFlight& flight : flights_) {
      const StartedLaunch& launch = flight.launch;
      RunningQuery one{.query = flight.query, .team = launch.team};
      one.left_ms = rests_.rest_ms(launch.model, launch.first_segment, launch.team) -
                    rests_.rest_ms(launch.model, launch.end_segment, launch.team) -
                    (now_ - flight.start_ms);
      one.left_ms = std::max(0.0, one.left_ms);
      one.query.segment = launch.end_segment;
      seen.push_back(std::move(one));
    }
    return seen;
  }

  /// True where the policy has to be asked again: it dropped queries, and now sees others.
  Result<bool> decide() {
    const std::vector<WaitingQuery> waiting = seen_queries();
    if (waiting.empty()) return false;
    const bool hides_some = waiting.size() < waiting_.size();
    const std::vector<RunningQuery> seen = seen_flights();
    const ServingState state{.now_ms = now_,
                             .free_workers = static_cast<int>(free_.size()),
                             .system = system_,
                             .rests = rests_,
                             .slow_down = options_.predicted,
                             .waiting = waiting,
                             .running = seen};
    const Decision decision = policy_.decide(state, variant_);
    for (const int id : decision.drops) {
      OPBENCH_TRY(const WaitingQuery query, take_waiting(id));
      run_.outcomes[static_cast<size_t>(id)].is_dropped = true;
      if (query.segment > 0) forget(query);
    }
    for (const Launch& launch : decision.launches) OPBENCH_CHECK(start(launch));
    return hides_some && !decision.drops.empty() && !free_.empty() && !waiting_.empty();
  }

  Result<WaitingQuery> take_waiting(int id) {
    const auto found = std::ranges::find(waiting_, id, &WaitingQuery::id);
    if (found == waiting_.end())
      return wrong(fmt::format("names query {}, which does not wait", id));
    const WaitingQuery query = *found;
    waiting_.erase(found);
    return query;
  }

  Result<void> start(const Launch& launch) {
    OPBENCH_TRY(const WaitingQuery query, take_waiting(launch.query));
    const size_t segments = system_.models[query.model].segments.size();
    const bool is_there = launch.segments > 0 && query.segment + launch.segments <= segments &&
                          launch.team < system_.teams.size();
    if (!is_there) return wrong(fmt::format("launches what query {} does not have", query.id));
    const auto size = static_cast<size_t>(system_.teams[launch.team]);
    if (size > free_.size()) {
      return wrong(fmt::format("wants {} workers where {} are free", size, free_.size()));
    }
    StartedLaunch started{.query = query.id,
                          .model = query.model,
                          .first_segment = query.segment,
                          .end_segment = query.segment + launch.segments,
                          .team = launch.team};
    started.workers.assign(free_.rbegin(), free_.rbegin() + static_cast<std::ptrdiff_t>(size));
    free_.resize(free_.size() - size);
    if (query.segment == 0) ++in_flight_[query.model];
    OPBENCH_CHECK(workers_.start(started));
    flights_.push_back({query, std::move(started), now_});
    ++run_.launches;
    return {};
  }

  const ServingSystem& system_;
  const std::vector<Query>& queries_;
  const PolicyDef& policy_;
  const PolicyVariant& variant_;
  const ControllerOptions& options_;
  ServingWorkers& workers_;
  const RestTimes rests_;
  double now_ = 0;
  size_t arrived_ = 0;
  std::vector<int> free_;  ///< descending, so that the smallest is taken from the end
  std::vector<WaitingQuery> waiting_;
  std::vector<ServingControllerFlight> flights_;
  std::vector<size_t> in_flight_;  ///< queries that have begun and not ended, by model
  ServingRun run_;
};

}  // namespace

Result<ServingRun> serve_queries(const ServingSystem& system, const std::vector<Query>& queries,
                                 const PolicyDef& policy, const PolicyVariant& variant,
                                 const ControllerOptions& options, ServingWorkers& workers) {
  return Controller(system, queries, policy, variant, options, workers).run();
}

}  // namespace opbench
