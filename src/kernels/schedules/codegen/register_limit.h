#pragma once

#include <cstdint>
#include <string>

#include "machine/target/target.h"

namespace Halide {
class Module;
}

// Halide's CUDA runtime limits every kernel to 64 registers a thread: with more, a block of 1024
// threads could not start. Larger tiles of sums would then lie in memory without a word. So each
// kernel says in its PTX how many registers its own block leaves to a thread, and the engine passes
// no limit to the driver.

namespace opbench {

/// The most registers of a thread with which a block of so many threads starts on the target's
/// generation; those of 1024 threads where the number is not known (0).
int64_t most_registers(const Target& target, int64_t threads);

/// Gives the entry `kernel` of a PTX text this limit (`.maxnreg`). The text as it is where it has
/// no such entry, or that has a limit.
std::string with_register_limit(const std::string& ptx, const std::string& kernel,
                                int64_t registers);

/// Gives every kernel in the module's PTX its limit, by the threads with which it is launched.
void limit_registers(Halide::Module& module, const Target& target);

}  // namespace opbench
