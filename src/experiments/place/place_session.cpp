#include "experiments/place/place_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/system/seconds.h"
#include "experiments/devices/device_times.h"
#include "experiments/devices/device_turns.h"
#include "experiments/devices/transfer_cost.h"
#include "experiments/place/metered_power.h"
#include "experiments/sessions/request/run_request.h"
#include "machine/resources/pinning.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

class PlaceSession {
 public:
  explicit PlaceSession(const PlaceRequest& request) : request_(request) {}

  Result<PlaceResult> run() {
    result_.energy = request_.energy;
    if (request_.from) {
      OPBENCH_CHECK(check_report());
      result_.graph = *request_.from;
    } else {
      OPBENCH_CHECK(make_graph());
    }
    OPBENCH_TRY(result_.study, study_places(result_.graph, result_.energy, request_.study));
    return std::move(result_);
  }

 private:
  Result<void> check_report() const {
    if (request_.from->model == request_.run.model.name) return {};
    return invalid_input(fmt::format("\"{}\" holds placements of {}, not of {}", request_.from_name,
                                     request_.from->model, request_.run.model.name));
  }

  Result<void> make_graph() {
    // Energy constants are missed before anything is measured.
    PlaceGraph& graph = result_.graph;
    OPBENCH_TRY(const Target host, parse_target("host"));
    for (const DeviceChoice& device : request_.devices) {
      graph.devices.push_back(
          {.name = device.name, .cpus = device.cpus, .variant = narrower_variant(device, host)});
    }
    OPBENCH_CHECK(powers_of(request_.energy, graph));
    OPBENCH_CHECK(check_meter());
    const std::string shared = shared_cpus_warning(request_.devices);
    if (!shared.empty()) result_.warnings.push_back(shared);
    OPBENCH_CHECK(prepare());
    OPBENCH_CHECK(make_units());
    double idle_w = 0;
    if (request_.meter) {
      OPBENCH_TRY(idle_w, resting_w(*request_.meter));
    }
    OPBENCH_TRY(const DeviceTurnTimes times, time_devices());
    for (size_t i = 0; i < request_.devices.size(); ++i) OPBENCH_CHECK(add_device(i, times));
    if (!prepared_.empty()) add_control(times);
    if (request_.meter) {
      OPBENCH_CHECK(measure_watts());
      add_powers(idle_w);
    }
    OPBENCH_TRY(graph.transfer, transfer_cost(request_.devices));
    return {};
  }

  Result<void> check_meter() const {
    const bool has_only_tables = std::ranges::all_of(request_.devices, &DeviceChoice::is_table);
    if (!request_.meter || !has_only_tables) return {};
    return invalid_input("--energy measured has nothing to measure: no device is of this machine");
  }

  /// In place of the declared watts of this machine's devices.
  void add_powers(double idle_w) {
    std::vector<double> added;
    for (const auto& [name, watts] : added_w_) added.push_back(watts);
    const std::vector<DevicePower> powers = shared_powers(idle_w, added, *request_.meter);
    for (size_t i = 0; i < powers.size(); ++i) {
      const auto& [name, watts] = added_w_[i];
      result_.energy.devices[name] = powers[i];
      if (watts > 0) continue;
      result_.warnings.push_back(fmt::format(
          "the meter shows no watts of {}: other work on this machine hides them", name));
    }
  }

  /// Builds and checks what runs on the devices of this machine, before any of them is timed.
  Result<void> prepare() {
    for (const DeviceChoice& device : request_.devices) {
      if (device.is_table()) continue;
      OPBENCH_TRY(auto prepared, prepare_device(request_.run, device));
      OPBENCH_TRY(const std::vector<std::string> warnings, check_device(*prepared));
      for (const std::string& warning : warnings) warn(warning);
      prepared_.push_back(std::move(prepared));
    }
    return {};
  }

  void warn(const std::string& warning) {
    if (std::ranges::count(result_.warnings, warning) == 0) result_.warnings.push_back(warning);
  }

  /// The units by the first device of this machine, or by any CPU when all are tables.
  Result<void> make_units() {
    DeviceUnits found;
    if (prepared_.empty()) {
      const DeviceChoice any{.name = "any CPU", .cpus = {current_affinity().front()}};
      OPBENCH_TRY(found, units_on_device(request_.run, any));
    } else {
      found = units_of(*prepared_.front(), {});
    }
    for (const auto& device : prepared_) {
      if (units_of(*device, {}).nodes == found.nodes) continue;
      return invalid_input(fmt::format("on {} the model has other units than on {}",
                                       device->choice.name, prepared_.front()->choice.name));
    }
    result_.graph.model = request_.run.model.name;
    result_.graph.sha256 = found.sha256;
    result_.graph.graph = std::move(found.graph);
    result_.graph.workloads = std::move(found.workloads);
    result_.graph.times_ms.resize(result_.graph.size());
    result_.graph.errors_ms.resize(result_.graph.size());
    return {};
  }

  /// Of the devices of this machine, then of the first one once more.
  Result<DeviceTurnTimes> time_devices() {
    if (prepared_.empty()) return DeviceTurnTimes{};
    const Preflight preflight = run_preflight(Seconds(request_.run.measure.budget_s));
    result_.graph.noise = preflight.advice;
    DeviceTurns turns;
    std::vector<EngineSetup> setups;
    const auto add_run = [&](PreparedDevice& device) {
      turns.engine_runs.engine_runs.push_back(&device.engine_run());
      turns.engine_runs.engines.push_back(static_cast<int>(setups.size()));
      setups.push_back(device.engine_run().built.setup);
    };
    for (const auto& device : prepared_) {
      add_run(*device);
      turns.names.push_back(device->choice.name);
      turns.neighbours.push_back(device->neighbour ? &*device->neighbour : nullptr);
    }
    add_run(*prepared_.front());
    EngineRunner runner(std::move(setups));
    SteadyClock clock;
    return time_in_turns(turns, runner, clock, round_options(preflight));
  }

  /// The control shares the devices' budget.
  RoundOptions round_options(const Preflight& preflight) {
    constexpr int kRounds = 4;
    const RunRequest& run = request_.run;
    const auto devices = static_cast<double>(prepared_.size());
    RoundOptions options;
    options.budget = Seconds(run.measure.budget_s * devices / (devices + 1));
    options.rounds = kRounds;
    options.runs = run.measure.runs;
    options.warm_up = run.measure.warm_up;
    options.seed = run.model.seed;
    options.clock_step_ms = to_ms(preflight.clock_resolution);
    options.noise_percent = preflight.cv_percent;
    options.cancel = run.hooks.cancel;
    options.progress = [this](size_t engine_run, int done, int total) {
      const size_t device = engine_run < prepared_.size() ? engine_run : 0;
      const Session& session = *prepared_[device]->session;
      session.report("profile", prepared_[device]->choice.name, session.model().name, done, total);
    };
    return options;
  }

  Result<void> add_device(size_t number, const DeviceTurnTimes& turns) {
    const DeviceChoice& device = request_.devices[number];
    PlaceDevice& placed = result_.graph.devices[number];
    if (device.is_table()) {
      OPBENCH_TRY(const std::vector<double> times, times_of_table(device, result_.graph));
      for (size_t i = 0; i < times.size(); ++i) add_time(i, times[i], 0);
      placed.kind = device.table.kind;
      placed.source = device.table.source;
      return {};
    }
    const auto engine_run = static_cast<size_t>(
        std::ranges::find(prepared_, device.name,
                          [](const auto& prepared) { return prepared->choice.name; }) -
        prepared_.begin());
    const DeviceUnits found = units_of(*prepared_[engine_run], turns.steps[engine_run]);
    double sum_ms = 0;
    for (size_t i = 0; i < found.times.size(); ++i) {
      add_time(i, found.times[i].ms, found.times[i].error_ms);
      sum_ms += found.times[i].ms;
    }
    placed.kind = "measured";
    placed.target = found.target;
    placed.source = "in the model, devices in turns";
    if (device.has_busy_neighbour) placed.source += ", beside a busy neighbour";
    placed.common_error = common_error_of(turns.ratios[engine_run]);
    warn_of_sum(device.name, sum_ms, turns.end_to_end_ms[engine_run]);
    return {};
  }

  void warn_of_sum(const std::string& name, double sum_ms, double end_to_end_ms) {
    constexpr double kMost = 0.1;
    if (end_to_end_ms == 0 || std::abs(sum_ms / end_to_end_ms - 1) <= kMost) return;
    warn(fmt::format("on {} the units sum up to {:.3f} ms and the model takes {:.3f} ms", name,
                     sum_ms, end_to_end_ms));
  }

  void add_control(const DeviceTurnTimes& turns) {
    result_.graph.disturbance = turns.disturbance;
    if (turns.rounds < static_cast<int>(kFewestDeviceRounds)) return;  // no interval
    const DeviceRatio& ratio = turns.ratios.back();
    PlaceControl control{.device = prepared_.front()->choice.name,
                         .ratio = ratio.ratio,
                         .low = ratio.low,
                         .high = ratio.high,
                         .rounds = turns.rounds,
                         .times_ms = {}};
    for (const TimeWithError& time : units_of(*prepared_.front(), turns.steps.back()).times) {
      control.times_ms.push_back(time.ms);
    }
    result_.graph.control = std::move(control);
  }

  Result<void> measure_watts() {
    for (const auto& device : prepared_) {
      if (device->neighbour) device->neighbour->resume();
      OPBENCH_TRY(const double watts, added_w(*request_.meter, device->engine_run()));
      if (device->neighbour) device->neighbour->pause();
      added_w_.emplace_back(device->choice.name, watts);
    }
    return {};
  }

  void add_time(size_t unit, double ms, double error_ms) {
    result_.graph.times_ms[unit].push_back(ms);
    result_.graph.errors_ms[unit].push_back(error_ms);
  }

  const PlaceRequest& request_;
  std::vector<std::unique_ptr<PreparedDevice>> prepared_;  ///< of this machine
  std::vector<std::pair<std::string, double>> added_w_;    ///< by device of this machine
  PlaceResult result_;
};

}  // namespace

std::vector<ProfileRequest> prepared_requests(const PlaceRequest& request) {
  std::vector<ProfileRequest> requests;
  for (const DeviceChoice& device : request.devices) {
    if (!device.is_table()) requests.push_back(device_request(request.run, device));
  }
  return requests;
}

Result<PlaceResult> run_place(const PlaceRequest& request) { return PlaceSession(request).run(); }

}  // namespace opbench
