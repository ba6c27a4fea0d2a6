#include "engines/cuda_device/cuda_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engines/device_hooks/driver_function.h"

namespace opbench {
namespace {

struct CudaFailure {
  CudaCode code = 0;
  std::string_view name;
  bool ends_context = false;
};

constexpr std::array<CudaFailure, 34> kCudaFailures = {{
    {1, "CUDA_ERROR_INVALID_VALUE"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", true},
    {4, "CUDA_ERROR_DEINITIALIZED", true},
    {34, "CUDA_ERROR_STUB_LIBRARY"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
    {100, "CUDA_ERROR_NO_DEVICE"},
    {101, "CUDA_ERROR_INVALID_DEVICE"},
    {200, "CUDA_ERROR_INVALID_IMAGE"},
    {kCudaInvalidContext, "CUDA_ERROR_INVALID_CONTEXT"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", true},
    {218, "CUDA_ERROR_INVALID_PTX"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    {400, "CUDA_ERROR_INVALID_HANDLE"},
    {500, "CUDA_ERROR_NOT_FOUND"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", true},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT", true},
    {708, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE"},
    {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", true},
    {710, "CUDA_ERROR_ASSERT", true},
    {714, "CUDA_ERROR_HARDWARE_STACK_ERROR", true},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", true},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", true},
    {717, "CUDA_ERROR_INVALID_ADDRESS_SPACE", true},
    {718, "CUDA_ERROR_INVALID_PC", true},
    {719, "CUDA_ERROR_LAUNCH_FAILED", true},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
    {800, "CUDA_ERROR_NOT_PERMITTED"},
    {801, "CUDA_ERROR_NOT_SUPPORTED"},
    {802, "CUDA_ERROR_SYSTEM_NOT_READY"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
    {999, "CUDA_ERROR_UNKNOWN", true},
}};

}  // namespace

Result<CudaFunctions> load_cuda(const std::string& library) {
  CudaFunctions cuda;
  cuda.library = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (cuda.library == nullptr) {
    return Error{ErrorCode::kEnvironment, "no library " + library}.with("remedy",
                                                                        "install NVIDIA's driver");
  }
  const auto take = [from = cuda.library](const char* name, auto& function) {
    return take_driver_function(from, name, function);
  };
  const bool is_whole =
      take("cuInit", cuda.init) && take("cuDriverGetVersion", cuda.version) &&
      take("cuDeviceGetCount", cuda.device_count) && take("cuDeviceGet", cuda.device) &&
      take("cuDeviceGetName", cuda.device_name) &&
      take("cuDeviceGetAttribute", cuda.device_attribute) &&
      take("cuDevicePrimaryCtxRetain", cuda.retain_context) &&
      take("cuDevicePrimaryCtxRelease_v2", cuda.release_context) &&
      take("cuCtxSetCurrent", cuda.set_context) && take("cuCtxPushCurrent_v2", cuda.push_context) &&
      take("cuStreamCreate", cuda.create_stream) &&
      take("cuStreamDestroy_v2", cuda.destroy_stream) && take("cuStreamSynchronize", cuda.finish) &&
      take("cuMemAlloc_v2", cuda.allocate) && take("cuMemFree_v2", cuda.free) &&
      take("cuMemcpyHtoDAsync_v2", cuda.write) && take("cuMemcpyDtoHAsync_v2", cuda.read) &&
      take("cuEventCreate", cuda.create_event) && take("cuEventDestroy_v2", cuda.destroy_event) &&
      take("cuEventRecord", cuda.record) && take("cuEventElapsedTime", cuda.elapsed) &&
      take("cuModuleLoadDataEx", cuda.load_module) &&
      take("cuFuncSetAttribute", cuda.set_kernel_attribute) && take("cuLaunchKernel", cuda.launch);
  if (!is_whole) return Error{ErrorCode::kEnvironment, library + " is not CUDA's driver"};
  return cuda;
}

std::string cuda_error(CudaCode code) {
  const auto found = std::ranges::find(kCudaFailures, code, &CudaFailure::code);
  if (found == kCudaFailures.end()) return fmt::format("CUDA's error {}", code);
  return fmt::format("{} ({})", found->name, code);
}

bool ends_context(CudaCode code) {
  const auto found = std::ranges::find(kCudaFailures, code, &CudaFailure::code);
  return found != kCudaFailures.end() && found->ends_context;
}

}  // namespace opbench
