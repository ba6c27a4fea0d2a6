#pragma once

#include <string>

#include "base/errors/error.h"
#include "experiments/predict/device_probe.h"

namespace opbench {

/// The report `opbench.probe/1`.
std::string probe_json(const DeviceDescriptor& device);

/// What others ask of a report: of each probe that has a time its workload and the median.
/// `kInvalidInput` for text that is none; `what` names it.
Result<DeviceDescriptor> parse_probe_report(const std::string& text, const std::string& what);

}  // namespace opbench
