#include "engines/opencl_device/opencl_functions.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engines/device_hooks/driver_function.h"

namespace opbench {
namespace {

using NamedCode = std::pair<cl_int, std::string_view>;
constexpr std::array<NamedCode, 20> kCodes = {{
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
    {CL_MISALIGNED_SUB_BUFFER_OFFSET, "CL_MISALIGNED_SUB_BUFFER_OFFSET"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    {CL_INVALID_DEVICE, "CL_INVALID_DEVICE"},
    {CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT"},
    {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
    {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
    {CL_INVALID_KERNEL, "CL_INVALID_KERNEL"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
    {CL_INVALID_WORK_DIMENSION, "CL_INVALID_WORK_DIMENSION"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
    {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"},
    {CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE"},
    {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
    {CL_INVALID_OPERATION, "CL_INVALID_OPERATION"},
}};

}  // namespace

Result<OpenClFunctions> load_opencl(const std::string& library) {
  OpenClFunctions cl;
  cl.library = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (cl.library == nullptr) {
    return Error{ErrorCode::kEnvironment, "no library " + library}.with(
        "remedy", "install the package ocl-icd-libopencl1 and a driver");
  }
  void* const from = cl.library;
  const bool is_whole =
      take_driver_function(from, "clGetPlatformIDs", cl.platforms) &&
      take_driver_function(from, "clGetPlatformInfo", cl.platform_info) &&
      take_driver_function(from, "clGetDeviceIDs", cl.devices) &&
      take_driver_function(from, "clGetDeviceInfo", cl.device_info) &&
      take_driver_function(from, "clCreateSubDevices", cl.create_part_of_device) &&
      take_driver_function(from, "clCreateContext", cl.create_context) &&
      take_driver_function(from, "clReleaseContext", cl.release_context) &&
      take_driver_function(from, "clCreateCommandQueue", cl.create_queue) &&
      take_driver_function(from, "clReleaseCommandQueue", cl.release_queue) &&
      take_driver_function(from, "clCreateBuffer", cl.create_buffer) &&
      take_driver_function(from, "clCreateSubBuffer", cl.create_part) &&
      take_driver_function(from, "clReleaseMemObject", cl.release_memory) &&
      take_driver_function(from, "clEnqueueWriteBuffer", cl.write) &&
      take_driver_function(from, "clEnqueueReadBuffer", cl.read) &&
      take_driver_function(from, "clEnqueueNDRangeKernel", cl.launch) &&
      take_driver_function(from, "clFinish", cl.finish) &&
      take_driver_function(from, "clGetEventInfo", cl.event_info) &&
      take_driver_function(from, "clGetEventProfilingInfo", cl.event_times) &&
      take_driver_function(from, "clReleaseEvent", cl.release_event);
  if (!is_whole) return Error{ErrorCode::kEnvironment, library + " is not OpenCL's library"};
  return cl;
}

std::string opencl_error(cl_int code) {
  const auto found = std::ranges::find(kCodes, code, &NamedCode::first);
  if (found == kCodes.end()) return fmt::format("OpenCL's error {}", code);
  return fmt::format("{} ({})", found->second, code);
}

}  // namespace opbench
