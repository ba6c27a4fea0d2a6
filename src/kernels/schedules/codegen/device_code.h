#pragma once

#include "machine/target/device_type.h"

namespace Halide {
class Pipeline;
}

namespace opbench {

/// Prepares a pipeline whose loops run on a GPU, before Halide cuts them out of the host's code:
/// - functions that kernels for CPUs have as LLVM's bitcode (nan_keeping.h) become expressions;
/// - rounding is to even, as on the host (Halide's OpenCL rounds halves away from zero, its PTX
///   does not);
/// - what checks the arguments' form goes: buffers are read under other extents than they have
///   (kernel_builder.h). Checks of what the device's runtime answers stay: without them a kernel
///   whose launch failed returns 0.
void lower_for_device(Halide::Pipeline& pipeline, DeviceType device);

}  // namespace opbench
