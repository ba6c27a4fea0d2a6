#pragma once

#include <string>

#include "experiments/predict/device_probe.h"

namespace opbench {

/// The report `opbench.probe/1`.
std::string probe_json(const DeviceDescriptor& device);

}  // namespace opbench
