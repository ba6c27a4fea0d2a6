#pragma once

#include <cstdint>

// Kernels rely on a stack that ends on a cache line when they are called
// (kernels/schedules/codegen/aligned_stack.ll). Without that, what does not fit into registers lies
// across two lines or pages in some processes and not in others, which costs up to half of the
// speed. So only this code may call kernels.

namespace opbench {

/// A kernel as the package has it; its own error number, 0: none.
using Kernel = int (*)(void** arguments);
int call_kernel(Kernel kernel, void** arguments);

/// One iteration of a kernel's parallel loop.
using KernelTask = int (*)(void* context, int index, uint8_t* closure);
int call_task(KernelTask task, void* context, int index, uint8_t* closure);

}  // namespace opbench
