#pragma once

#include "engines/catalog/engine.h"
#include "experiments/sessions/request/cache_mode.h"
#include "experiments/sessions/request/variant.h"
#include "machine/devices/device.h"
#include "machine/target/target.h"

namespace opbench {

/// `kInvalidInput` if the settings name a device that is not there, or of another kind than the
/// target's.
Result<void> check_named_device(const Target& target, const RunSettings& settings);

/// The device that runs code for the target: this CPU, or the one that the settings name.
/// `kInvalidInput` for a CPU target with features that this CPU lacks, and for a device that is not
/// there; `kEnvironment` where no device of the target's kind is here. `takes_emulated`: code for
/// another CPU may run in an emulator (emulator.h); else it is refused.
Result<FoundDevice> device_of_variant(const Target& target, const RunSettings& settings,
                                      bool takes_emulated = false);

/// How many units of the device the settings ask for (`opencl.units`); 0: all. `kInvalidInput` for
/// a target of a kind of device that has no such setting.
Result<int> device_units_of(const Target& target, const RunSettings& settings);

/// Refuses an engine of our kernels whose device is not the target's, and ways to run a model that
/// an engine does not have on its device.
Result<void> check_engine_of_device(const EngineDef& engine, const Target& target,
                                    const Variant& variant);

/// Refuses `cold-weights` on a device beside the CPU: what empties its cache takes the activations
/// with it, and nothing of the host's brings them back.
Result<void> check_cache_of_device(const EngineDef& engine, const Target& target, CacheMode cache);

}  // namespace opbench
