#include "experiments/devices/device_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engines/catalog/engine_choice.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/unit_times/model_units.h"
#include "machine/resources/pinning.h"
#include "machine/target/parse_target.h"

namespace opbench {

ProfileRequest device_request(const RunRequest& request, const DeviceChoice& device) {
  const auto target = parse_target(device.target);
  const EngineDef& engine = target ? package_engine_for(*target) : package_engine();
  ProfileRequest own = profile_of(request, {engine.name}, {static_cast<int>(device.cpus.size())});
  own.settings.cpus = device.cpus;
  own.settings.device = device.device;
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

std::vector<size_t> owners_of(const UnitGraph& graph,
                              const std::vector<std::vector<std::string>>& nodes) {
  std::vector<size_t> owner(graph.size());
  for (size_t i = 0; i < graph.size(); ++i) owner[i] = i;
  for (size_t i = graph.size(); i-- > 0;) {
    if (!nodes[i].empty()) continue;
    for (size_t reader = i + 1; reader < graph.size() && owner[i] == i; ++reader) {
      const auto& needs = graph.units[reader].needs;
      if (std::ranges::count(needs, static_cast<int>(i), &UnitNeed::unit) > 0) {
        owner[i] = owner[reader];
      }
    }
  }
  // What nobody reads is an output in another layout.
  for (size_t i = 0; i < graph.size(); ++i) {
    const auto& needs = graph.units[i].needs;
    if (!nodes[i].empty() || owner[i] != i || needs.empty()) continue;
    owner[i] = owner[static_cast<size_t>(needs.front().unit)];
  }
  for (size_t i = 0; i < graph.size(); ++i) owner[i] = owner[owner[i]];
  return owner;
}

UnitGraph contracted(const UnitGraph& graph, const std::vector<size_t>& owner) {
  std::vector<int> number(graph.size(), -1);
  UnitGraph result;
  for (size_t i = 0; i < graph.size(); ++i) {
    if (owner[i] != i) continue;
    number[i] = static_cast<int>(result.size());
    result.units.push_back(graph.units[i]);
    result.units.back().needs.clear();
  }
  for (size_t i = 0; i < graph.size(); ++i) {
    const int own = number[owner[i]];
    std::vector<UnitNeed>& needs = result.units[static_cast<size_t>(own)].needs;
    for (const UnitNeed& need : graph.units[i].needs) {
      const int maker = number[owner[static_cast<size_t>(need.unit)]];
      if (maker == own) continue;
      const auto known = std::ranges::find(needs, maker, &UnitNeed::unit);
      if (known == needs.end()) {
        needs.push_back({maker, need.bytes});
      } else if (known->bytes && need.bytes) {
        *known->bytes += *need.bytes;
      } else {
        known->bytes.reset();
      }
    }
  }
  return result;
}

std::vector<TimeWithError> summed_times(const std::vector<TimeWithError>& times,
                                        const std::vector<size_t>& owner) {
  std::vector<TimeWithError> sums(times.size());
  for (size_t i = 0; i < times.size(); ++i) {
    TimeWithError& sum = sums[owner[i]];
    sum.ms += times[i].ms;
    sum.error_ms = std::hypot(sum.error_ms, times[i].error_ms);
  }
  std::vector<TimeWithError> result;
  for (size_t i = 0; i < times.size(); ++i) {
    if (owner[i] == i) result.push_back(sums[i]);
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
  OPBENCH_TRY(prepared->graph, graph_of_runs(prepared->session->engine_runs()));
  for (UnitIdentity& one : facts_of(prepared->engine_run())) {
    prepared->workloads.push_back(workload_text(one));
    prepared->has_kernel.push_back(one.schedule != kReferenceSchedule);
    prepared->nodes.push_back(std::move(one.nodes));
  }
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
  for (std::string& warning : session.engine_runs().front().built.warnings) {
    warnings.push_back(std::move(warning));
  }
  const CheckResult& check = device.engine_run().found.result.check;
  if (found_wrong(check)) {
    warnings.push_back(
        fmt::format("on {} the check did not pass: {}", device.choice.name, check.reason));
  }
  return warnings;
}

DeviceUnits units_of(PreparedDevice& device, const std::vector<TimeWithError>& times) {
  const std::vector<size_t> owner = owners_of(device.graph, device.nodes);
  const Session& session = *device.session;
  DeviceUnits found{.model = session.model().name,
                    .sha256 = session.model().sha256,
                    .target = display_text(session.target()),
                    .graph = contracted(device.graph, owner),
                    .times = summed_times(times, owner)};
  for (size_t i = 0; i < owner.size(); ++i) {
    if (owner[i] != i) continue;
    found.workloads.push_back(device.workloads[i]);
    found.nodes.push_back(device.nodes[i]);
    found.has_kernel.push_back(device.has_kernel[i]);
  }
  return found;
}

bool has_units_of(const DeviceUnits& all, const DeviceUnits& some) {
  return std::ranges::all_of(
      some.nodes, [&](const auto& nodes) { return std::ranges::count(all.nodes, nodes) > 0; });
}

std::vector<TimeWithError> times_among(const DeviceUnits& all, const DeviceUnits& some) {
  constexpr double kInPlaceMs = 1e-6;
  std::vector<TimeWithError> times;
  for (const std::vector<std::string>& nodes : all.nodes) {
    const auto found = std::ranges::find(some.nodes, nodes);
    times.push_back(found == some.nodes.end()
                        ? TimeWithError{.ms = kInPlaceMs, .error_ms = 0}
                        : some.times[static_cast<size_t>(found - some.nodes.begin())]);
  }
  return times;
}

Result<DeviceUnits> units_on_device(const RunRequest& request, const DeviceChoice& device) {
  OPBENCH_TRY(const std::unique_ptr<PreparedDevice> prepared, prepare_device(request, device));
  return units_of(*prepared, {});
}

Result<std::vector<double>> times_of_table(const DeviceChoice& device, const PlaceGraph& graph) {
  const DeviceTable& table = device.table;
  std::vector<double> times;
  for (size_t i = 0; i < graph.size(); ++i) {
    const std::string& name = graph.graph.units[i].name;
    auto found = table.times_ms.find(graph.workloads[i]);
    if (found == table.times_ms.end()) found = table.times_ms.find(name);
    if (found != table.times_ms.end()) {
      times.push_back(found->second);
    } else if (table.factor_of_others && !graph.times_ms[i].empty()) {
      times.push_back(*table.factor_of_others * graph.times_ms[i].front());
    } else {
      return invalid_input(fmt::format("device \"{}\" has no time of a unit", device.name))
          .with("unit", name)
          .with("workload", graph.workloads[i])
          .with("to give it", table.factor_of_others
                                  ? "name another device first, whose times the factor is of"
                                  : "a time in \"times_ms\", or \"factor_of_others\"");
    }
  }
  return times;
}

}  // namespace opbench
