#pragma once

#include <vector>

#include "base/errors/error.h"
#include "experiments/place/place_study.h"
#include "presentation/cli/command.h"

namespace opbench {

/// `--at-least`.
OptionDef share_option();

/// The shares that `--at-least` asks for, of devices with these names. `kInvalidInput` that quotes
/// the text for an unknown device, a share that is no number from 0 to 100, a device named twice,
/// and for shares beyond 100 % together.
Result<std::vector<DeviceShare>> shares_of(const std::vector<std::string>& texts,
                                           const std::vector<std::string>& devices);

}  // namespace opbench
