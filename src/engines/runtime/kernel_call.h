#pragma once

#include <cstdint>

// Kernels take it that the stack which they are called with ends on a cache line: else what does
// not fit into their registers lies across two lines or pages in some processes and in others not,
// which costs up to half of their speed (kernels/schedules/codegen/aligned_stack.ll). Nothing else
// may call them.

namespace opbench {

/// A kernel as the package has it; its own error number, 0: none.
using Kernel = int (*)(void** arguments);
int call_kernel(Kernel kernel, void** arguments);

/// One iteration of a kernel's parallel loop.
using KernelTask = int (*)(void* context, int index, uint8_t* closure);
int call_task(KernelTask task, void* context, int index, uint8_t* closure);

}  // namespace opbench
