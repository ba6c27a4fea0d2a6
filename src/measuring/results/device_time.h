#pragma once

#include <optional>

#include "measuring/results/measurement.h"

namespace opbench {

/// What the launches and copies of a call took by the device's own clock: the median of the clean
/// samples, in ms. Nothing for calls on the CPU.
std::optional<double> device_ms(const Measurement& time);

}  // namespace opbench
