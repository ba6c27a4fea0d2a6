#pragma once

#include "machine/target/target.h"

namespace opbench {

/// What runs a kernel; the numbers are DLPack's. `kOther`: no kind that OpBench knows of.
enum class DeviceType { kOther = 0, kCpu = 1, kCuda = 2, kOpenCl = 4, kExtDev = 12 };

/// What runs code for the target, by its kind.
DeviceType device_type(const Target& target);

}  // namespace opbench
