#include "experiments/devices/placed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "engines/catalog/engine_choice.h"
#include "experiments/unit_times/model_units.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

ProfileRequest placed_request(const RunRequest& request, const DeviceChoice& host,
                              const DeviceChoice& device, UnitPlacement placement) {
  const auto target = parse_target(device.target);
  const EngineDef& engine = target ? package_engine_for(*target) : package_engine();
  ProfileRequest own = profile_of(request, {engine.name}, {2});
  own.measure.measures_units = false;
  own.settings.cpus = {host.cpus.front(), device.cpus.front()};
  own.settings.target = device.target;
  own.settings.device = device.device;
  own.settings.placement = std::make_shared<const UnitPlacement>(std::move(placement));
  return own;
}

}  // namespace

std::string no_pair_reason(const std::vector<DeviceChoice>& devices, DevicePair& pair) {
  const auto is_none = [](const DeviceChoice& device) { return !device.device.empty(); };
  const auto device = std::ranges::find_if(devices, is_none);
  if (device == devices.end()) return "all devices are CPUs or tables";
  if (devices.size() != 2) return "it takes one CPU and one other device";
  pair.device = static_cast<size_t>(device - devices.begin());
  pair.host = 1 - pair.device;
  const DeviceChoice& host = devices[pair.host];
  if (host.is_table()) return fmt::format("{} is a table", host.name);
  if (!host.device.empty() || host.cpus.size() != 1) {
    return fmt::format("beside {} units run on one CPU", device->name);
  }
  if (host.has_busy_neighbour) return fmt::format("{} has a busy neighbour", host.name);
  if (host.cpus == device->cpus) return fmt::format("no CPU is left for {}", device->name);
  return "";
}

UnitPlacement sides_of(const PlaceGraph& graph, const Target& host, const DevicePair& pair,
                       const std::vector<int>& placement, const std::vector<int>& order) {
  UnitPlacement sides{.host = host, .scopes = {}, .order = {}};
  for (size_t i = 0; i < graph.size(); ++i) {
    const bool is_host = placement[i] == static_cast<int>(pair.host);
    sides.scopes[graph.graph.units[i].name] = is_host ? MemoryScope::kHost : MemoryScope::kDevice;
  }
  for (const int unit : order) sides.order.push_back(graph.graph.unit(unit).name);
  return sides;
}

std::vector<int> alternating(const UnitGraph& graph, const DevicePair& pair,
                             const std::vector<int>& fixed) {
  std::vector<int> placement;
  for (size_t i = 0; i < graph.size(); ++i) {
    const std::vector<UnitNeed>& needs = graph.units[i].needs;
    const bool follows_host = !needs.empty() && placement[static_cast<size_t>(needs.back().unit)] ==
                                                    static_cast<int>(pair.host);
    placement.push_back(static_cast<int>(follows_host ? pair.device : pair.host));
    if (!fixed.empty() && fixed[i] >= 0) placement.back() = fixed[i];
  }
  return placement;
}

Result<PlacedModel> prepare_placed(const RunRequest& request,
                                   const std::vector<DeviceChoice>& devices, const DevicePair& pair,
                                   UnitPlacement placement) {
  const ProfileRequest own =
      placed_request(request, devices[pair.host], devices[pair.device], std::move(placement));
  PlacedModel model;
  OPBENCH_TRY(model.session,
              Session::make(own.model, variants_of(own.engines, own.threads, own.settings),
                            own.measure, own.hooks));
  OPBENCH_TRY(model.program, program_of(model.engine_run()));
  model.facts = facts_of(model.engine_run());
  return model;
}

Result<std::vector<std::string>> check_placed(PlacedModel& model) {
  std::vector<std::string> warnings;
  OPBENCH_TRY(const std::string unchecked, model.session->check());
  if (!unchecked.empty()) warnings.push_back("not checked: " + unchecked);
  model.session->runner().stop(0);
  for (const auto* const some : {&model.session->warnings(), &model.engine_run().built.warnings}) {
    warnings.insert(warnings.end(), some->begin(), some->end());
  }
  const CheckResult& check = model.engine_run().found.result.check;
  if (found_wrong(check)) warnings.push_back("the check did not pass: " + check.reason);
  return warnings;
}

}  // namespace opbench
