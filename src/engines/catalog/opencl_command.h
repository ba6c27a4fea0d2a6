#pragma once

#include <optional>
#include <string>

#include "engines/catalog/engine.h"

namespace opbench {

/// The process of the opencl engine on the device of the options. PoCL, whose device is the CPU,
/// keeps to the run's threads, and compiled kernels in the cache folder.
EngineCommand opencl_command(const EngineOptions& options);

/// Why it cannot be used here; nothing if it can. Whether there is a device is another question
/// (machine/devices/device.h), which takes longer to answer.
std::optional<std::string> opencl_unavailable();

}  // namespace opbench
