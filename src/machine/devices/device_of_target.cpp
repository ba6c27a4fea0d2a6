#include <algorithm>
#include <iterator>

#include "base/errors/suggestion.h"
#include "machine/devices/device.h"
#include "machine/target/cuda_arch.h"

namespace opbench {
namespace {

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

/// A kind with one device has no use for a name.
Result<FoundDevice> named_device(const DeviceDef& kind, const std::vector<FoundDevice>& devices,
                                 const std::string& name) {
  if (name.empty()) return devices.front();
  std::vector<std::string> known;
  for (const FoundDevice& device : devices) {
    known.push_back(device.name);
    std::ranges::copy(device.aliases, std::back_inserter(known));
    if (device.name == name || std::ranges::count(device.aliases, name) > 0) return device;
  }
  return unknown_name(kind.name + " device", name, known);
}

/// TVM's words for kinds of OpenCL devices: each has templates of its own.
Result<void> check_device_word(const Target& target) {
  static const std::vector<std::string> kWords = {"adreno", "bifrost", "intel_graphics", "mali"};
  const auto word = target.attributes.find("device");
  const bool is_asked = target.kind == "opencl" && word != target.attributes.end();
  if (!is_asked || std::ranges::count(kWords, word->second) > 0) return {};
  return unknown_name("kind of opencl device", word->second, kWords);
}

}  // namespace

Result<FoundDevice> device_of_target(const Target& target, const std::string& name) {
  OPBENCH_CHECK(check_device_word(target));
  const std::vector<DeviceDef>& kinds = device_table().all();
  const auto kind = std::ranges::find(kinds, device_type(target), &DeviceDef::type);
  if (kind == kinds.end()) {
    return invalid_input("no kernels are made for target \"" + display_text(target) + "\"")
        .with("known", "targets of these kinds of device: " + join(device_table().names()));
  }
  if (kind->type == DeviceType::kCuda) OPBENCH_CHECK(cuda_arch(target));
  const auto found = kind->find();
  if (found) return named_device(*kind, *found, name);
  return Error{ErrorCode::kEnvironment,
               "no device for target \"" + display_text(target) + "\" is here"}
      .with("reason", found.error().message)
      .with("found", devices_found());
}

Result<void> check_device_of(const Target& target) {
  OPBENCH_CHECK(device_of_target(target, ""));
  return {};
}

}  // namespace opbench
