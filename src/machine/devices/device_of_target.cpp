#include <algorithm>

#include "base/errors/suggestion.h"
#include "machine/devices/device.h"

namespace opbench {
namespace {

std::vector<std::string> kinds_with_kernels() {
  std::vector<std::string> names;
  for (const DeviceDef& kind : device_table().all()) {
    if (kind.has_kernels) names.push_back(kind.name);
  }
  return names;
}

/// `cpu, opencl:0`
std::string devices_found() {
  std::vector<std::string> names;
  for (const DeviceDef& kind : device_table().all()) {
    const auto found = kind.find();
    if (!found) continue;
    for (const FoundDevice& device : *found) names.push_back(device.name);
  }
  return join(names);
}

}  // namespace

Result<void> check_device_of(const Target& target) {
  const std::vector<DeviceDef>& kinds = device_table().all();
  const auto kind = std::ranges::find(kinds, device_type(target), &DeviceDef::type);
  if (kind == kinds.end() || !kind->has_kernels) {
    return invalid_input("no kernels are made for target \"" + display_text(target) + "\"")
        .with("known", "targets of these kinds of device: " + join(kinds_with_kernels()));
  }
  const auto found = kind->find();
  if (found) return {};
  return Error{ErrorCode::kEnvironment,
               "no device for target \"" + display_text(target) + "\" is here"}
      .with("reason", found.error().message)
      .with("found", devices_found());
}

}  // namespace opbench
