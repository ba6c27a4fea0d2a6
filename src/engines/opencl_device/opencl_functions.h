#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>

#include "base/errors/error.h"

namespace opbench {

/// The functions of OpenCL's library that the engine calls itself; Halide's runtime asks for its
/// own by name.
struct OpenClFunctions {
  void* library = nullptr;
  decltype(&clGetPlatformIDs) platforms = nullptr;
  decltype(&clGetPlatformInfo) platform_info = nullptr;
  decltype(&clGetDeviceIDs) devices = nullptr;
  decltype(&clGetDeviceInfo) device_info = nullptr;
  decltype(&clCreateSubDevices) create_part_of_device = nullptr;
  decltype(&clCreateContext) create_context = nullptr;
  decltype(&clReleaseContext) release_context = nullptr;
  decltype(&clCreateCommandQueue) create_queue = nullptr;
  decltype(&clReleaseCommandQueue) release_queue = nullptr;
  decltype(&clCreateBuffer) create_buffer = nullptr;
  decltype(&clCreateSubBuffer) create_part = nullptr;
  decltype(&clReleaseMemObject) release_memory = nullptr;
  decltype(&clEnqueueWriteBuffer) write = nullptr;
  decltype(&clEnqueueReadBuffer) read = nullptr;
  decltype(&clEnqueueNDRangeKernel) launch = nullptr;
  decltype(&clFinish) finish = nullptr;
  decltype(&clGetEventInfo) event_info = nullptr;
  decltype(&clGetEventProfilingInfo) event_times = nullptr;
  decltype(&clReleaseEvent) release_event = nullptr;
};

/// Loads the library for as long as the program runs. `kEnvironment` when it is not there or lacks
/// a function.
Result<OpenClFunctions> load_opencl(const std::string& library);

/// `CL_INVALID_WORK_GROUP_SIZE (-54)`; the number alone for a code without a name here.
std::string opencl_error(cl_int code);

}  // namespace opbench
