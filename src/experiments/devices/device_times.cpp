#include "experiments/devices/device_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engines/catalog/engine_choice.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/unit_times/model_units.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

/// Without times.
std::vector<PlaceUnit> steps_of(const UnitGraph& graph, const std::vector<PlanUnitFacts>& facts) {
  std::vector<PlaceUnit> units;
  for (size_t i = 0; i < graph.size(); ++i) {
    const GraphUnit& timed = graph.units[i];
    PlaceUnit unit{timed.name, timed.kind, facts[i].workload, {}, {}, {}};
    for (const UnitNeed& need : timed.needs) {
      unit.needs.push_back({need.unit, static_cast<double>(need.bytes.value())});
    }
    units.push_back(std::move(unit));
  }
  return units;
}

}  // namespace

ProfileRequest device_request(const RunRequest& request, const DeviceChoice& device) {
  ProfileRequest own =
      profile_of(request, {package_engine().name}, {static_cast<int>(device.cpus.size())});
  own.settings.cpus = device.cpus;
  own.settings.target = device.target;
  return own;
}

Result<std::optional<BusyNeighbour>> neighbour_of(const DeviceChoice& device) {
  if (!device.has_busy_neighbour) return std::optional<BusyNeighbour>();
  for (const int cpu : current_affinity()) {
    if (std::ranges::find(device.cpus, cpu) != device.cpus.end()) continue;
    OPBENCH_TRY(BusyNeighbour neighbour, BusyNeighbour::start(cpu));
    return std::optional<BusyNeighbour>(std::move(neighbour));
  }
  return Error{ErrorCode::kInvalidInput,
               fmt::format("device \"{}\" leaves no CPU for a busy neighbour", device.name)};
}

std::vector<size_t> owners_of(const std::vector<PlaceUnit>& units,
                              const std::vector<std::vector<std::string>>& nodes) {
  std::vector<size_t> owner(units.size());
  for (size_t i = 0; i < units.size(); ++i) owner[i] = i;
  for (size_t i = units.size(); i-- > 0;) {
    if (!nodes[i].empty()) continue;
    for (size_t reader = i + 1; reader < units.size() && owner[i] == i; ++reader) {
      const bool reads = std::ranges::any_of(units[reader].needs, [&](const PlaceNeed& need) {
        return need.unit == static_cast<int>(i);
      });
      if (reads) owner[i] = owner[reader];
    }
  }
  // What nobody reads is an output in another layout.
  for (size_t i = 0; i < units.size(); ++i) {
    if (!nodes[i].empty() || owner[i] != i || units[i].needs.empty()) continue;
    owner[i] = owner[static_cast<size_t>(units[i].needs.front().unit)];
  }
  for (size_t i = 0; i < units.size(); ++i) owner[i] = owner[owner[i]];
  return owner;
}

std::vector<PlaceUnit> contracted(const std::vector<PlaceUnit>& units,
                                  const std::vector<size_t>& owner) {
  std::vector<int> number(units.size(), -1);
  std::vector<PlaceUnit> result;
  for (size_t i = 0; i < units.size(); ++i) {
    if (owner[i] != i) continue;
    number[i] = static_cast<int>(result.size());
    result.push_back(units[i]);
    result.back().needs.clear();
    for (double& time : result.back().times_ms) time = 0;
    for (double& error : result.back().errors_ms) error = 0;
  }
  for (size_t i = 0; i < units.size(); ++i) {
    const int own = number[owner[i]];
    PlaceUnit& unit = result[static_cast<size_t>(own)];
    for (size_t d = 0; d < units[i].times_ms.size(); ++d) {
      unit.times_ms[d] += units[i].times_ms[d];
      unit.errors_ms[d] = std::hypot(unit.errors_ms[d], units[i].errors_ms[d]);
    }
    for (const PlaceNeed& need : units[i].needs) {
      const int maker = number[owner[static_cast<size_t>(need.unit)]];
      if (maker == own) continue;
      const auto known = std::ranges::find(unit.needs, maker, &PlaceNeed::unit);
      if (known == unit.needs.end()) {
        unit.needs.push_back({maker, need.bytes});
      } else {
        known->bytes += need.bytes;
      }
    }
  }
  return result;
}

Result<std::unique_ptr<PreparedDevice>> prepare_device(const RunRequest& request,
                                                       const DeviceChoice& device) {
  auto prepared = std::make_unique<PreparedDevice>();
  prepared->choice = device;
  prepared->request = device_request(request, device);
  prepared->request.measure.measures_units = false;
  const ProfileRequest& own = prepared->request;
  OPBENCH_TRY(prepared->session,
              Session::make(own.model, variants_of(own.engines, own.threads, own.settings),
                            own.measure, own.hooks));
  OPBENCH_TRY(const UnitGraph graph, graph_of_runs(prepared->session->engine_runs()));
  const std::vector<PlanUnitFacts> facts = facts_of(prepared->engine_run());
  prepared->units = steps_of(graph, facts);
  for (const PlanUnitFacts& one : facts) prepared->nodes.push_back(one.nodes);
  OPBENCH_TRY(std::optional<BusyNeighbour> neighbour, neighbour_of(device));
  if (neighbour) prepared->neighbour.emplace(std::move(*neighbour)).pause();
  return prepared;
}

Result<std::vector<std::string>> check_device(PreparedDevice& device) {
  Session& session = *device.session;
  std::vector<std::string> warnings;
  OPBENCH_TRY(const std::string unchecked, session.check());
  if (!unchecked.empty()) warnings.push_back("not checked: " + unchecked);
  session.describe_engines();
  session.runner().stop(0);
  for (std::string& warning : session.warnings()) warnings.push_back(std::move(warning));
  for (std::string& warning : session.engine_runs().front().warnings) {
    warnings.push_back(std::move(warning));
  }
  const CheckResult& check = device.engine_run().result.check;
  if (found_wrong(check)) {
    warnings.push_back(
        fmt::format("on {} the check did not pass: {}", device.choice.name, check.reason));
  }
  return warnings;
}

DeviceUnits units_of(PreparedDevice& device, const std::vector<TimeWithError>& times) {
  std::vector<PlaceUnit> units = device.units;
  for (size_t i = 0; i < times.size(); ++i) {
    units[i].times_ms = {times[i].ms};
    units[i].errors_ms = {times[i].error_ms};
  }
  const std::vector<size_t> owner = owners_of(units, device.nodes);
  const Session& session = *device.session;
  DeviceUnits found{.model = session.model().name,
                    .sha256 = session.model().sha256,
                    .target = display_text(session.target()),
                    .units = contracted(units, owner),
                    .nodes = {}};
  for (size_t i = 0; i < owner.size(); ++i) {
    if (owner[i] == i) found.nodes.push_back(device.nodes[i]);
  }
  return found;
}

Result<DeviceUnits> units_on_device(const RunRequest& request, const DeviceChoice& device) {
  OPBENCH_TRY(const std::unique_ptr<PreparedDevice> prepared, prepare_device(request, device));
  return units_of(*prepared, {});
}

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
      return invalid_input(fmt::format("device \"{}\" has no time of a unit", device.name))
          .with("unit", unit.name)
          .with("workload", unit.workload)
          .with("to give it", table.factor_of_others
                                  ? "name another device first, whose times the factor is of"
                                  : "a time in \"times_ms\", or \"factor_of_others\"");
    }
  }
  return times;
}

}  // namespace opbench
