#include "experiments/place/device_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engines/catalog/engine_choice.h"
#include "experiments/place/metered_power.h"
#include "experiments/plan/model_units.h"
#include "experiments/plan/unit_times.h"
#include "experiments/profile/profile_session.h"
#include "experiments/sessions/session.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

ProfileRequest request_for(const ProfileRequest& request, const DeviceChoice& device) {
  ProfileRequest own = request;
  own.engines = {package_engine().name};
  own.threads = {static_cast<int>(device.cpus.size())};
  own.cpus = device.cpus;
  own.target = device.target;
  own.measures_units = false;
  return own;
}

/// Without times; `program` has the graph's units as steps.
std::vector<PlaceUnit> units_of(const Program& program, const UnitGraph& graph,
                                const std::vector<PlanUnitFacts>& facts) {
  std::vector<PlaceUnit> units;
  for (size_t i = 0; i < graph.size(); ++i) {
    const TimedUnit& timed = graph.units[i];
    PlaceUnit unit{timed.name, timed.kind, facts[i].workload, {}, {}, {}};
    for (const UnitNeed& need : timed.needs) {
      const int64_t bytes = carried_bytes(program, need.unit, static_cast<int>(i));
      unit.needs.push_back({need.unit, static_cast<double>(bytes)});
    }
    units.push_back(std::move(unit));
  }
  return units;
}

void add_warnings(const ThreadTimes& times, const DeviceChoice& device, DeviceUnits& found) {
  constexpr double kMost = 0.1;
  if (!times.disturbance.empty()) {
    found.warnings.push_back(fmt::format("on {} {}", device.name, times.disturbance));
  }
  double sum = 0;
  for (const PlaceUnit& unit : found.units) sum += unit.times_ms.front();
  if (times.end_to_end_ms == 0 || std::abs(sum / times.end_to_end_ms - 1) <= kMost) return;
  found.warnings.push_back(
      fmt::format("on {} the units sum up to {:.3f} ms and the model takes {:.3f} ms", device.name,
                  sum, times.end_to_end_ms));
}

Result<void> measure(const ProfileRequest& own, const Lane& lane, const DeviceChoice& device,
                     const EnergyMeter* meter, DeviceUnits& found) {
  OPBENCH_TRY(const auto neighbour, neighbour_of(device));
  OPBENCH_TRY(const ProfileResult profile, run_profile(own));
  if (own.cancel != nullptr && *own.cancel) return Error{ErrorCode::kInterrupted, "interrupted"};
  found.warnings = profile.warnings;
  found.source = "in the model, run " + profile.run_id;
  if (neighbour) found.source += ", beside a busy neighbour";
  const ProfileTimes times = times_of(profile);
  if (times.threads.empty()) {
    return Error{ErrorCode::kPartial, fmt::format("the model was not timed on {}", device.name)};
  }
  OPBENCH_TRY(const std::vector<TimeWithError> units, times_of_units(times.threads.front(), lane));
  for (size_t i = 0; i < units.size(); ++i) {
    found.units[i].times_ms = {units[i].ms};
    found.units[i].errors_ms = {units[i].error_ms};
  }
  add_warnings(times.threads.front(), device, found);
  if (meter == nullptr) return {};
  OPBENCH_TRY(found.added_w, added_w(*meter, lane));
  return {};
}

}  // namespace

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

Result<DeviceUnits> units_on_device(const ProfileRequest& request, const DeviceChoice& device,
                                    bool is_timed, const EnergyMeter* meter) {
  const ProfileRequest own = request_for(request, device);
  Session session(own);
  OPBENCH_CHECK(session.open(own.engines));
  OPBENCH_TRY(const std::vector<int> cpus, session.cpus_of(own.threads.front()));
  OPBENCH_CHECK(session.add_lane(own.engines.front(), cpus));
  const Lane& lane = session.lanes().front();
  OPBENCH_TRY(const UnitGraph graph, graph_of_lanes(session.lanes(), {}));
  OPBENCH_TRY(const Program program, program_of(lane));
  DeviceUnits found{.model = session.model().name,
                    .sha256 = session.model().sha256,
                    .target = display_text(session.target())};
  const std::vector<PlanUnitFacts> facts = facts_of(lane);
  std::vector<std::vector<std::string>> nodes;
  for (const PlanUnitFacts& one : facts) nodes.push_back(one.nodes);
  found.units = units_of(program, graph, facts);
  if (is_timed) OPBENCH_CHECK(measure(own, lane, device, meter, found));
  const std::vector<size_t> owner = owners_of(found.units, nodes);
  found.units = contracted(found.units, owner);
  for (size_t i = 0; i < owner.size(); ++i) {
    if (owner[i] == i) found.nodes.push_back(nodes[i]);
  }
  return found;
}

}  // namespace opbench
