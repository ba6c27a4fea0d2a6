#pragma once

#include "base/errors/error.h"

namespace opbench {

/// Loads Halide, and LLVM with it, on first use; before, none of its functions may be called, so
/// the rules of schedules do without. `kEnvironment` if it is not installed. Any thread.
Result<void> load_halide();

}  // namespace opbench
