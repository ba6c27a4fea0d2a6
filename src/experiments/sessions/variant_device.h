#pragma once

#include "engines/catalog/engine.h"
#include "experiments/sessions/request/variant.h"
#include "machine/devices/device.h"
#include "machine/target/target.h"

namespace opbench {

/// The device that runs code for the target: this CPU, or the one that the settings name.
/// `kInvalidInput` for a CPU target with features that this CPU lacks, and for a device that is not
/// there; `kEnvironment` where no device of the target's kind is here.
Result<FoundDevice> device_of_variant(const Target& target, const RunSettings& settings);

/// Refuses an engine of our kernels whose device is not the target's, and ways to run a model that
/// an engine does not have on its device.
Result<void> check_engine_of_device(const EngineDef& engine, const Target& target,
                                    const Variant& variant);

}  // namespace opbench
