// What Halide's OpenCL runtime leaves to the program. Its own forms of these are weak: it would
// open a device of its choice, look for a library that only -dev packages have, and end the process
// at an error.
#include "engines/opencl_device/halide_hooks.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "engines/device_hooks/kernel_words.h"
#include "engines/opencl_device/opencl_queue.h"

namespace opbench {
namespace {

/// clEnqueueNDRangeKernel for Halide's runtime, with an event of each launch.
cl_int CL_API_CALL timed_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                const size_t* offset, const size_t* global, const size_t* local,
                                cl_uint waits, const cl_event* wait_list, cl_event* event) {
  OpenClQueue* const current = OpenClQueue::current();
  if (current == nullptr) return CL_INVALID_COMMAND_QUEUE;
  cl_event own = nullptr;
  const cl_int code = current->cl().launch(queue, kernel, dimensions, offset, global, local, waits,
                                           wait_list, event != nullptr ? event : &own);
  if (code == CL_SUCCESS && own != nullptr) current->take(own);
  return code;
}

}  // namespace
}  // namespace opbench

// Names and signatures are Halide's.
extern "C" {

int halide_acquire_cl_context(void*, cl_context* context, cl_command_queue* queue, bool) {
  const opbench::OpenClQueue* const current = opbench::OpenClQueue::current();
  if (current == nullptr) return -1;
  *context = current->context();
  *queue = current->queue();
  return 0;
}

int halide_release_cl_context(void*) { return 0; }

void* halide_opencl_get_symbol(void*, const char* name) {
  const opbench::OpenClQueue* const current = opbench::OpenClQueue::current();
  if (current == nullptr) return nullptr;
  if (std::strcmp(name, "clEnqueueNDRangeKernel") == 0) {
    return reinterpret_cast<void*>(&opbench::timed_launch);
  }
  return ::dlsym(current->cl().library, name);
}

void halide_error(void* user_context, const char* message) {
  opbench::note_kernel_failure(user_context, message);
}

void halide_print(void*, const char* message) { std::fputs(message, stderr); }

}  // extern "C"
