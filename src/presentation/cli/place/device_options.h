#pragma once

#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/arguments.h"

namespace opbench {

/// Options of `profile` that count for measurements on several devices. Those that a device decides
/// (CPUs, threads, target) are hidden. `takes_models`: with those of model_options().
std::vector<OptionDef> device_measuring_options(bool takes_models = true);

/// `kInvalidInput` if the command line gives an option that a device decides.
Result<void> check_device_options(const Arguments& arguments);

}  // namespace opbench
