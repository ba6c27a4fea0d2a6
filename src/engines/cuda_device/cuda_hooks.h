#pragma once

namespace opbench {

/// What kernels' buffers name as the interface of their memory: that of Halide's CUDA runtime,
/// which is an object of its own (make-device-runtime).
const void* cuda_memory_interface();

}  // namespace opbench
