#pragma once

#include "base/errors/error.h"
#include "presentation/cli/command.h"

namespace opbench {

/// `--devices` and `--at-least` of `plan`.
std::vector<OptionDef> device_plan_options();

/// `plan MODEL --devices`: times the model on the devices, plans, runs and reports. `kInvalidInput`
/// for options that are of plans for CPUs alone.
Result<void> plan_on_devices(const Invocation& invocation, Terminal& terminal);

}  // namespace opbench
