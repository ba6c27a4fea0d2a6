// What Halide's CUDA runtime leaves to the program. Its own forms of these are weak: it would make
// a context on a device of its choice, look for libcuda.so, which machines with a driver alone need
// not have, limit all kernels to 64 registers, and end the process at an error.
#include "engines/cuda_device/cuda_hooks.h"

#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "engines/cuda_device/cuda_queue.h"
#include "engines/device_hooks/kernel_words.h"
#include "engines/runtime/kernel_runtime.h"

extern "C" const void* halide_cuda_device_interface();

namespace opbench {
namespace {

/// cuLaunchKernel for Halide's runtime, with events around each launch. Blocks that use more shared
/// memory than every GPU has must be announced.
CudaCode timed_cuda_launch(void* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                           unsigned block_x, unsigned block_y, unsigned block_z,
                           unsigned shared_bytes, void* stream, void** arguments, void** extra) {
  constexpr unsigned kSharedOfAll = 49152;
  constexpr int kMostDynamicShared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  CudaQueue* const queue = CudaQueue::current();
  if (queue == nullptr) return kCudaInvalidContext;
  if (shared_bytes > kSharedOfAll) {
    const CudaCode code = queue->checked([&] {
      return queue->cuda().set_kernel_attribute(kernel, kMostDynamicShared,
                                                static_cast<int>(shared_bytes));
    });
    if (code != 0) return code;
  }
  return queue->timed([&] {
    return queue->cuda().launch(kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                shared_bytes, stream, arguments, extra);
  });
}

/// cuCtxPushCurrent for Halide's runtime, which hands its code on without a word.
CudaCode push_cuda_context(void* context) {
  CudaQueue* const queue = CudaQueue::current();
  if (queue == nullptr) return kCudaInvalidContext;
  const CudaCode code = queue->checked([&] { return queue->cuda().push_context(context); });
  if (code != 0) {
    note_kernel_failure(queue->caller(),
                        ("CUDA: cuCtxPushCurrent failed: " + cuda_error(code)).c_str());
  }
  return code;
}

/// cuModuleLoadDataEx for Halide's runtime without its limit of registers: each kernel says its own
/// (register_limit.h). What the driver's compiler complains about goes to the engine's log.
CudaCode load_cuda_module(void** module, const void* image, unsigned, int*, void**) {
  CudaQueue* const queue = CudaQueue::current();
  if (queue == nullptr) return kCudaInvalidContext;
  std::array<char, 4096> words = {};
  std::array<int, 2> options = {5, 6};  // CU_JIT_ERROR_LOG_BUFFER and its size
  std::array<void*, 2> values = {words.data(), reinterpret_cast<void*>(words.size() - 1)};
  const CudaCode code = queue->checked([&] {
    return queue->cuda().load_module(module, image, static_cast<unsigned>(options.size()),
                                     options.data(), values.data());
  });
  if (code != 0 && words.front() != '\0') std::fprintf(stderr, "%s\n", words.data());
  return code;
}

}  // namespace

const void* cuda_memory_interface() { return halide_cuda_device_interface(); }

}  // namespace opbench

// Names and signatures are Halide's.
extern "C" {

int halide_cuda_acquire_context(void* user_context, void** context, bool) {
  opbench::CudaQueue* const current = opbench::CudaQueue::current();
  *context = nullptr;
  if (current == nullptr) return opbench::kCudaInvalidContext;
  if (!current->lost().empty()) {
    opbench::note_kernel_failure(user_context,
                                 ("the device's context was lost: " + current->lost()).c_str());
    return opbench::kCudaInvalidContext;
  }
  current->set_caller(user_context);
  *context = current->context();
  return 0;
}

int halide_cuda_release_context(void*) { return 0; }

int halide_cuda_get_stream(void*, void*, void** stream) {
  const opbench::CudaQueue* const current = opbench::CudaQueue::current();
  *stream = current == nullptr ? nullptr : current->stream();
  return 0;
}

void* halide_cuda_get_symbol(void*, const char* name) {
  const opbench::CudaQueue* const current = opbench::CudaQueue::current();
  if (current == nullptr) return nullptr;
  if (std::strcmp(name, "cuLaunchKernel") == 0) {
    return reinterpret_cast<void*>(&opbench::timed_cuda_launch);
  }
  if (std::strcmp(name, "cuCtxPushCurrent_v2") == 0) {
    return reinterpret_cast<void*>(&opbench::push_cuda_context);
  }
  if (std::strcmp(name, "cuModuleLoadDataEx") == 0) {
    return reinterpret_cast<void*>(&opbench::load_cuda_module);
  }
  return ::dlsym(current->cuda().library, name);
}

void halide_error(void* user_context, const char* message) {
  opbench::note_kernel_failure(user_context, message);
}

void halide_print(void*, const char* message) { std::fputs(message, stderr); }

}  // extern "C"
