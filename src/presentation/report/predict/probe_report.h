#pragma once

#include <string>

#include "experiments/predict/device_probe.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {

/// A row a probe: its time with the interval, and over the first probe's.
TextTable probe_table(const DeviceDescriptor& device);

/// What else the descriptor holds, a line each.
std::string probe_summary(const DeviceDescriptor& device);

}  // namespace opbench
