#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/tables/table.h"
#include "machine/target/device_type.h"

namespace opbench {

/// A device of this machine.
struct FoundDevice {
  std::string name;                  ///< `cpu`, `opencl:0`
  std::vector<std::string> aliases;  ///< by its driver, numbered there: `pocl:0`
  int index = 0;                     ///< among the devices of its kind
  int64_t boundary = 0;              ///< where parts of its memory may begin, bytes; 0: not known
  int units = 0;                     ///< into which it can be divided; 0: it cannot be
  std::string arch = {};             ///< of CUDA devices: `sm_75`
  std::string description;           ///< its maker's words
  std::vector<Fact> facts;           ///< limits and versions, in the order in which they are shown
  bool operator==(const FoundDevice&) const = default;
};

/// A kind of device: where it is looked for, which clock its times are from.
struct DeviceDef {
  std::string name;  ///< the word of targets: `cpu`, `opencl`
  std::string summary;
  DeviceType type = DeviceType::kCpu;
  std::string clock;  ///< `wall`: the CPU's; `event`: the device's own marks around a launch

  /// The devices of this kind, at least one; `kEnvironment` with the reason why there is none.
  Result<std::vector<FoundDevice>> (*find)() = nullptr;
};

/// Every kind of device, from the files `<x>_device.cpp`.
const Table<DeviceDef>& device_table();

/// The device that runs code for the target: the one with this name or alias; the first of its kind
/// where `name` is empty. Errors of `check_device_of`; `kInvalidInput` for a name that no device of
/// the kind has, with those that there are, and for an `-arch` that is none.
Result<FoundDevice> device_of_target(const Target& target, const std::string& name);

/// `kEnvironment` if code for the target has no device here: the reason, and what is there.
/// `kInvalidInput` for a target whose kind of device is not known.
Result<void> check_device_of(const Target& target);

}  // namespace opbench
