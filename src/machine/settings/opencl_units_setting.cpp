#include <algorithm>

#include "machine/devices/opencl_search.h"
#include "machine/settings/setting.h"

namespace opbench {
namespace {

/// Of the first device that can be divided.
SettingState find_units(const SettingPlace&) {
  SettingState state;
  const auto devices = find_opencl_devices();
  if (!devices) {
    state.reason = devices.error().message;
    return state;
  }
  const auto device = std::ranges::find_if(*devices, [](const auto& d) { return d.units > 1; });
  if (device == devices->end()) {
    state.reason = "no OpenCL device here has units that can be used alone";
    return state;
  }
  state.value = std::to_string(device->units);
  state.range = {.low = 1, .high = device->units};
  return state;
}

}  // namespace

SettingDef opencl_units_setting() {
  return {.name = "opencl.units",
          .summary = "units of an OpenCL device that a run may use, with --target opencl",
          .set_by = "--over opencl.units=N,N",
          .find = find_units,
          .is_set_by_engine = true};
}

}  // namespace opbench
