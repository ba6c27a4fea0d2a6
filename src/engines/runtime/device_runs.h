#pragma once

#include <memory>
#include <string>

#include "engines/runtime/executor.h"

namespace opbench {

/// Runs the steps of a package for a device one after the other. A run ends when the device has
/// computed all. It ends at the first step that fails, as no kernel may be called on what that
/// left. A timed run waits for the device after each step. `kInvalidInput` as the executors'
/// `make`.
Result<std::unique_ptr<Executor>> make_device_runs(LoadedPackage& package);

/// Waits for the device; what fails is told to the package's context. Returns 0, or -1.
int finish_on_device(LoadedPackage& package);
/// The same; what fails is told to this context.
int finish_on_device(LoadedPackage& package, KernelContext& context);

/// What a failed call is answered with: the words that the context was told, or else its code. The
/// context forgets them.
std::string take_failure(KernelContext& context, int code);

}  // namespace opbench
