#pragma once

#include <string>
#include <vector>

#include "machine/devices/device.h"

namespace opbench {

/// The driver's library. The toolkit has one without a number that only links.
inline constexpr const char* kCudaDriver = "libcuda.so.1";

/// The CUDA devices that the driver `library` knows. `kEnvironment` when it cannot be loaded, does
/// not start, knows no device, or fails on the way.
Result<std::vector<FoundDevice>> find_cuda_devices(const std::string& library = kCudaDriver);

}  // namespace opbench
