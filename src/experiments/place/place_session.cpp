#include "experiments/place/place_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "experiments/place/device_times.h"
#include "experiments/place/metered_power.h"
#include "experiments/place/transfer_cost.h"
#include "machine/resources/pinning.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

Error place_session_invalid(std::string message) {
  return {ErrorCode::kInvalidInput, std::move(message)};
}

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
    if (request_.from->model == request_.profile.model) return {};
    return place_session_invalid(fmt::format("\"{}\" holds placements of {}, not of {}",
                                             request_.from_name, request_.from->model,
                                             request_.profile.model));
  }

  Result<void> make_graph() {
    // Energy constants are missed before anything is measured.
    PlaceGraph& graph = result_.graph;
    OPBENCH_TRY(const Target host, parse_target("host"));
    for (const DeviceChoice& device : request_.devices) {
      graph.devices.push_back({.name = device.name,
                               .cpus = device.cpus,
                               .variant = narrower_variant(device, host)});
    }
    OPBENCH_CHECK(powers_of(request_.energy, graph));
    OPBENCH_CHECK(check_meter());
    const std::string shared = shared_cpus_warning(request_.devices);
    if (!shared.empty()) result_.warnings.push_back(shared);
    OPBENCH_CHECK(make_units());
    double idle_w = 0;
    if (request_.meter) {
      OPBENCH_TRY(idle_w, resting_w(*request_.meter));
    }
    for (size_t i = 0; i < request_.devices.size(); ++i) OPBENCH_CHECK(add_device(i));
    if (request_.meter) add_powers(idle_w);
    OPBENCH_TRY(graph.transfer, transfer_cost(request_.devices));
    return {};
  }

  Result<void> check_meter() const {
    const bool has_only_tables = std::ranges::all_of(request_.devices, &DeviceChoice::is_table);
    if (!request_.meter || !has_only_tables) return {};
    return place_session_invalid(
        "--energy measured has nothing to measure: no device is of this machine");
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

  /// The units by the first device of this machine, or by any CPU when all are tables.
  Result<void> make_units() {
    const auto local = std::ranges::find_if(
        request_.devices, [](const DeviceChoice& device) { return !device.is_table(); });
    const DeviceChoice any{.name = "any CPU", .cpus = {current_affinity().front()}};
    const DeviceChoice& device = local == request_.devices.end() ? any : *local;
    OPBENCH_TRY(DeviceUnits found, units_on_device(request_.profile, device, false));
    result_.graph.model = request_.profile.model;
    result_.graph.sha256 = found.sha256;
    result_.graph.units = std::move(found.units);
    nodes_ = std::move(found.nodes);
    return {};
  }

  Result<void> add_device(size_t number) {
    const DeviceChoice& device = request_.devices[number];
    PlaceDevice& placed = result_.graph.devices[number];
    if (device.is_table()) {
      OPBENCH_TRY(const std::vector<double> times, times_of_table(device, result_.graph.units));
      for (size_t i = 0; i < times.size(); ++i) add_time(i, times[i], 0);
      placed.kind = device.table.kind;
      placed.source = device.table.source;
      return {};
    }
    OPBENCH_TRY(DeviceUnits found, units_on_device(request_.profile, device, true, meter()));
    if (found.nodes != nodes_) {
      return place_session_invalid(fmt::format("on {} the model has other units than on {}",
                                               device.name, request_.devices.front().name));
    }
    for (size_t i = 0; i < found.units.size(); ++i) {
      add_time(i, found.units[i].times_ms.front(), found.units[i].errors_ms.front());
    }
    placed.kind = "measured";
    placed.target = found.target;
    placed.source = found.source;
    if (found.added_w) added_w_.emplace_back(device.name, *found.added_w);
    for (std::string& warning : found.warnings) result_.warnings.push_back(std::move(warning));
    return {};
  }

  const EnergyMeter* meter() const { return request_.meter ? &*request_.meter : nullptr; }

  void add_time(size_t unit, double ms, double error_ms) {
    result_.graph.units[unit].times_ms.push_back(ms);
    result_.graph.units[unit].errors_ms.push_back(error_ms);
  }

  const PlaceRequest& request_;
  std::vector<std::vector<std::string>> nodes_;
  std::vector<std::pair<std::string, double>> added_w_;  ///< by device of this machine
  PlaceResult result_;
};

}  // namespace

Result<std::vector<double>> times_of_table(const DeviceChoice& device,
                                           const std::vector<PlaceUnit>& units) {
  const DeviceTable& table = device.table;
  std::vector<double> times;
  for (const PlaceUnit& unit : units) {
    auto found = table.times_ms.find(unit.workload);
    if (found == table.times_ms.end()) found = table.times_ms.find(unit.name);
    if (found != table.times_ms.end()) {
      times.push_back(found->second);
    } else if (table.factor_of_others && !unit.times_ms.empty()) {
      times.push_back(*table.factor_of_others * unit.times_ms.front());
    } else {
      return place_session_invalid(fmt::format("device \"{}\" has no time of a unit", device.name))
          .with("unit", unit.name)
          .with("workload", unit.workload)
          .with("to give it", table.factor_of_others
                                  ? "name another device first, whose times the factor is of"
                                  : "a time in \"times_ms\", or \"factor_of_others\"");
    }
  }
  return times;
}

Result<PlaceResult> run_place(const PlaceRequest& request) { return PlaceSession(request).run(); }

}  // namespace opbench
