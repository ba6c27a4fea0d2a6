#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/errors/error.h"

// CUDA's driver interface, as far as it is called here. Its header comes with the toolkit alone,
// which neither a build nor a run needs.

namespace opbench {

/// CUresult: 0 is success.
using CudaCode = int;
/// CUdeviceptr.
using CudaAddress = uint64_t;

/// The functions of the driver's library that the engine calls itself; Halide's runtime asks for
/// its own by name. Handles (contexts, streams, events, kernels) are opaque pointers.
struct CudaFunctions {
  void* library = nullptr;
  CudaCode (*init)(unsigned flags) = nullptr;
  CudaCode (*version)(int* version) = nullptr;
  CudaCode (*device_count)(int* count) = nullptr;
  CudaCode (*device)(int* device, int ordinal) = nullptr;
  CudaCode (*device_name)(char* name, int length, int device) = nullptr;
  CudaCode (*device_attribute)(int* value, int attribute, int device) = nullptr;
  CudaCode (*retain_context)(void** context, int device) = nullptr;
  CudaCode (*release_context)(int device) = nullptr;
  CudaCode (*set_context)(void* context) = nullptr;
  CudaCode (*push_context)(void* context) = nullptr;
  CudaCode (*create_stream)(void** stream, unsigned flags) = nullptr;
  CudaCode (*destroy_stream)(void* stream) = nullptr;
  CudaCode (*finish)(void* stream) = nullptr;
  CudaCode (*allocate)(CudaAddress* address, size_t bytes) = nullptr;
  CudaCode (*free)(CudaAddress address) = nullptr;
  CudaCode (*write)(CudaAddress to, const void* from, size_t bytes, void* stream) = nullptr;
  CudaCode (*read)(void* to, CudaAddress from, size_t bytes, void* stream) = nullptr;
  CudaCode (*create_event)(void** event, unsigned flags) = nullptr;
  CudaCode (*destroy_event)(void* event) = nullptr;
  CudaCode (*record)(void* event, void* stream) = nullptr;
  CudaCode (*elapsed)(float* ms, void* begin, void* end) = nullptr;
  CudaCode (*load_module)(void** module, const void* image, unsigned count, int* options,
                          void** values) = nullptr;
  CudaCode (*set_kernel_attribute)(void* kernel, int attribute, int value) = nullptr;
  CudaCode (*launch)(void* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                     void* stream, void** arguments, void** extra) = nullptr;
};

constexpr CudaCode kCudaInvalidContext = 201;

/// Loads the driver's library for as long as the program runs. `kEnvironment` when it is not there
/// or lacks a function.
Result<CudaFunctions> load_cuda(const std::string& library);

/// `CUDA_ERROR_OUT_OF_MEMORY (2)`; the number alone for a code without a name here.
std::string cuda_error(CudaCode code);

/// True for a code after which the context can do nothing more, and each call gives this code
/// again.
bool ends_context(CudaCode code);

}  // namespace opbench
