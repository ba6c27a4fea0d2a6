#pragma once

#include "kernels/schedules/kernel_spec.h"

namespace Halide {
class Module;
}  // namespace Halide

namespace opbench {

/// Adds LLVM's bitcode of what the kernel's expressions call beside Halide's own functions, and of
/// how its stack lies. `has_streams`: it asks for lines of memory ahead (prefetch.h).
void append_bitcode(Halide::Module& module, const KernelSpec& spec, bool has_streams);

}  // namespace opbench
