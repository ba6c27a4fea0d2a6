#pragma once

#include <string>
#include <vector>

#include "machine/devices/device.h"

namespace opbench {

/// The library that hands calls to the installed drivers (ICDs). Only -dev packages bring the name
/// without a number.
inline constexpr const char* kOpenClLibrary = "libOpenCL.so.1";

/// The OpenCL devices that `library` knows, numbered over all platforms. `kEnvironment` when it
/// cannot be loaded, knows no driver or no device, or fails on the way.
Result<std::vector<FoundDevice>> find_opencl_devices(const std::string& library = kOpenClLibrary);

}  // namespace opbench
