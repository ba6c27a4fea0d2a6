#include "experiments/place/place_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/system/seconds.h"
#include "experiments/devices/device_times.h"
#include "experiments/devices/device_turns.h"
#include "experiments/devices/transfer_cost.h"
#include "experiments/devices/unit_copies.h"
#include "experiments/place/metered_power.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/sessions/variant_device.h"
#include "experiments/unit_times/model_units.h"
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
    PlaceStudyOptions study = request_.study;
    study.fixed = fixed_;
    OPBENCH_TRY(result_.study, study_places(result_.graph, result_.energy, study));
    if (can_run_) OPBENCH_CHECK(run_candidates());
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
    OPBENCH_CHECK(check_devices());
    OPBENCH_CHECK(check_meter());
    const std::string shared = shared_cpus_warning(request_.devices);
    if (!shared.empty()) result_.warnings.push_back(shared);
    OPBENCH_CHECK(prepare());
    OPBENCH_CHECK(make_units());
    OPBENCH_CHECK(check_shares());
    if (can_run_) OPBENCH_CHECK(prepare_alternating());
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
    if (can_run_) OPBENCH_CHECK(add_runs_alone(times));
    return {};
  }

  /// Devices that are no CPUs are missed before kernels are built for any.
  Result<void> check_devices() {
    for (const DeviceChoice& device : request_.devices) {
      if (device.device.empty()) continue;
      OPBENCH_TRY(const Target target, parse_target(device.target));
      RunSettings settings;
      settings.target = device.target;
      settings.device = device.device;
      OPBENCH_CHECK(check_named_device(target, settings));
      const std::string reason = no_pair_reason(request_.devices, pair_);
      can_run_ = reason.empty();
      if (!can_run_) result_.warnings.push_back("no placement is run: " + reason);
    }
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
    // A concatenation may be made in place on one device and not on another.
    for (const auto& device : prepared_) {
      DeviceUnits others = units_of(*device, {});
      if (has_units_of(others, found)) found = std::move(others);
    }
    for (const auto& device : prepared_) {
      if (has_units_of(found, units_of(*device, {}))) continue;
      return invalid_input(fmt::format("on {} the model has other units than on {}",
                                       device->choice.name, prepared_.front()->choice.name));
    }
    result_.graph.model = request_.run.model.name;
    result_.graph.sha256 = found.sha256;
    units_ = found;
    if (can_run_) fix_units();
    result_.graph.graph = std::move(found.graph);
    result_.graph.workloads = std::move(found.workloads);
    result_.graph.times_ms.resize(result_.graph.size());
    result_.graph.errors_ms.resize(result_.graph.size());
    return {};
  }

  /// Shares that cannot be are refused before anything is timed.
  Result<void> check_shares() const {
    PlacementProblem problem{.devices = {}, .graph = result_.graph.graph};
    for (const DeviceChoice& device : request_.devices) problem.devices.push_back(device.name);
    OPBENCH_CHECK(limits_of(problem, request_.study.shares, fixed_));
    return {};
  }

  /// Units without a kernel for the device run beside it.
  void fix_units() {
    fixed_.assign(units_.nodes.size(), -1);
    int count = 0;
    for (const auto& device : prepared_) {
      if (device->choice.device.empty()) continue;
      const DeviceUnits own = units_of(*device, {});
      for (size_t i = 0; i < units_.nodes.size(); ++i) {
        const auto found = std::ranges::find(own.nodes, units_.nodes[i]);
        if (found == own.nodes.end()) continue;
        if (own.has_kernel[static_cast<size_t>(found - own.nodes.begin())]) continue;
        fixed_[i] = static_cast<int>(pair_.host);
        ++count;
      }
    }
    if (count == 0) return;
    warn(fmt::format("{} of {} units have no kernel for {} and run on {}", count, fixed_.size(),
                     request_.devices[pair_.device].name, request_.devices[pair_.host].name));
  }

  /// Copies are timed in a run of its own, which has many of them.
  Result<void> prepare_alternating() {
    OPBENCH_TRY(const Target host, parse_target(request_.devices[pair_.host].target));
    const UnitGraph& graph = result_.graph.graph;
    std::vector<int> order(graph.size());
    std::iota(order.begin(), order.end(), 0);
    OPBENCH_TRY(alternating_, prepare_placed(request_.run, request_.devices, pair_,
                                             sides_of(result_.graph, host, pair_,
                                                      alternating(graph, pair_, fixed_), order)));
    return {};
  }

  /// Of the devices of this machine, of both in turns where they run together, then of the first
  /// one once more.
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
    if (can_run_) {
      const EngineRun& both = alternating_.engine_run();
      turns.engine_runs.engine_runs.push_back(&both);
      turns.engine_runs.engines.push_back(static_cast<int>(setups.size()));
      setups.push_back(both.built.setup);
      turns.names.emplace_back("two devices in turns");
      turns.neighbours.push_back(nullptr);
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
    const std::vector<TimeWithError> times = times_among(units_, found);
    double sum_ms = 0;
    for (size_t i = 0; i < times.size(); ++i) {
      add_time(i, times[i].ms, times[i].error_ms);
      sum_ms += times[i].ms;
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
    const DeviceUnits again = units_of(*prepared_.front(), turns.steps.back());
    for (const TimeWithError& time : times_among(units_, again)) {
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

  /// The model on each device alone; what the alternating one copies tells what transfers cost.
  Result<void> add_runs_alone(const DeviceTurnTimes& turns) {
    for (size_t number = 0; number < prepared_.size(); ++number) {
      const PreparedDevice& device = *prepared_[number];
      const EngineRun& engine_run = device.session->engine_runs().front();
      PlacedRow row{.method = "all on " + device.choice.name,
                    .placement = Placement(result_.graph.size(), static_cast<int>(number)),
                    .measured_ms = turns.end_to_end_ms[number],
                    .transfers = {},
                    .check = engine_run.found.result.check};
      for (const std::vector<double>& unit : result_.graph.times_ms) {
        row.predicted_ms += unit[number];
      }
      OPBENCH_TRY(const Program program, program_of(engine_run));
      row.transfers = copies_of(program, turns.steps[number]);
      result_.runs.push_back(std::move(row));
    }
    result_.graph.transfer =
        step_costs_of(alternating_.program, alternating_.facts, turns.steps[prepared_.size()])
            .crossing;
    return {};
  }

  Result<void> run_candidates() {
    PlaceRunners runners{.devices = request_.devices,
                         .pair = pair_,
                         .alone = {},
                         .alternating = &alternating_,
                         .units = units_,
                         .fixed = fixed_};
    for (const auto& device : prepared_) runners.alone.push_back(device.get());
    OPBENCH_TRY(std::vector<PlacedRow> rows, run_placements(request_.run, runners, result_.graph,
                                                            result_.study, result_.warnings));
    for (PlacedRow& row : rows) result_.runs.push_back(std::move(row));
    return {};
  }

  void add_time(size_t unit, double ms, double error_ms) {
    result_.graph.times_ms[unit].push_back(ms);
    result_.graph.errors_ms[unit].push_back(error_ms);
  }

  const PlaceRequest& request_;
  std::vector<std::unique_ptr<PreparedDevice>> prepared_;  ///< of this machine
  std::vector<std::pair<std::string, double>> added_w_;    ///< by device of this machine
  DeviceUnits units_;                                      ///< of the graph
  DevicePair pair_;
  bool can_run_ = false;    ///< the pair runs models together
  std::vector<int> fixed_;  ///< by unit: the device that must run it, or -1
  PlacedModel alternating_;
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
