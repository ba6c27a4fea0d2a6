#include "planning/serve/serving_simulation.h"

#include <algorithm>
#include <utility>

#include "planning/serve/serving_controller.h"

namespace opbench {
namespace {

/// A launch on its way.
struct ServingSimulationFlight {
  StartedLaunch launch;
  size_t segment = 0;  ///< the one that runs
  double left_ms = 0;  ///< of it, without neighbours
  double rate = 1;
  double start_ms = 0;  ///< of the segment
};

/// Time passes from event to event.
class SimulatedWorkers : public ServingWorkers {
 public:
  SimulatedWorkers(const ServingSystem& system, const std::vector<Query>& queries,
                   const ServingOptions& options)
      : system_(system), queries_(queries), options_(options) {}

  Result<void> start(const StartedLaunch& launch) override {
    ServingSimulationFlight flight{
        .launch = launch, .segment = launch.first_segment, .start_ms = now_};
    flight.left_ms = options_.launch_ms + drawn_ms(flight);
    flights_.push_back(std::move(flight));
    return {};
  }

  void forget(int) override {}

  Result<ServingEvent> wait(double until_ms) override {
    set_rates();
    double next = until_ms;
    for (const ServingSimulationFlight& flight : flights_) {
      next = std::min(next, now_ + flight.left_ms / flight.rate);
    }
    ServingEvent event{.now_ms = next, .ended = {}};
    const double passed = next - now_;
    for (size_t i = 0; i < flights_.size();) {
      ServingSimulationFlight& flight = flights_[i];
      const bool has_ended = now_ + flight.left_ms / flight.rate <= next;
      flight.left_ms -= passed * flight.rate;
      if (has_ended && end_segment(flight, event)) {
        flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    now_ = next;
    return event;
  }

 private:
  /// Segments that end now end exactly now. True when the launch has ended with it.
  bool end_segment(ServingSimulationFlight& flight, ServingEvent& event) const {
    event.ended.push_back({flight.launch.query, flight.segment, flight.start_ms, event.now_ms});
    ++flight.segment;
    if (flight.segment == flight.launch.end_segment) return true;
    flight.left_ms = drawn_ms(flight);
    flight.start_ms = event.now_ms;
    return false;
  }

  double drawn_ms(const ServingSimulationFlight& flight) const {
    const Segment& segment = system_.models[flight.launch.model].segments[flight.segment];
    const Query& query = queries_[static_cast<size_t>(flight.launch.query)];
    return segment.times_ms[flight.launch.team] * query.factors[flight.segment];
  }

  void set_rates() {
    if (!options_.slow_down) return;
    for (size_t i = 0; i < flights_.size(); ++i) {
      std::vector<SegmentPlace> others;
      for (size_t j = 0; j < flights_.size(); ++j) {
        if (j != i) others.push_back({flights_[j].launch.model, flights_[j].segment});
      }
      const SegmentPlace own{flights_[i].launch.model, flights_[i].segment};
      flights_[i].rate = 1 / slow_down_of(options_.slow_down, own, others);
    }
  }

  const ServingSystem& system_;
  const std::vector<Query>& queries_;
  const ServingOptions& options_;
  double now_ = 0;
  std::vector<ServingSimulationFlight> flights_;
};

}  // namespace

Result<ServingRun> simulate_serving(const ServingSystem& system, const std::vector<Query>& queries,
                                    const PolicyDef& policy, const PolicyVariant& variant,
                                    const ServingOptions& options) {
  SimulatedWorkers workers(system, queries, options);
  const ControllerOptions controller{.predicted = options.predicted,
                                     .most_in_flight = options.most_in_flight,
                                     .keeps_spans = options.keeps_spans};
  return serve_queries(system, queries, policy, variant, controller, workers);
}

}  // namespace opbench
