#pragma once

#include <cstdint>

#include "engines/runtime/kernel_runtime.h"

// Of Halide's OpenCL runtime, which is an object of its own (make-device-runtime).
extern "C" {
int halide_opencl_wrap_cl_mem(void* user_context, opbench::KernelBuffer* buffer, uint64_t memory);
int halide_opencl_detach_cl_mem(void* user_context, opbench::KernelBuffer* buffer);
}
