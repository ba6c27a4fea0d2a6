#pragma once

#include <filesystem>

#include "base/errors/error.h"
#include "machine/target/target.h"

namespace opbench {

/// Writes Halide's own runtime for the target's device as an object file: what kernels for a device
/// other than the CPU call. All of its symbols are weak. `kEnvironment` when there is no Halide,
/// `kSystem` when it cannot write the object.
Result<void> write_runtime_object(const Target& target, const std::filesystem::path& object);

}  // namespace opbench
