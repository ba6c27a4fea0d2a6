// Contexts, streams, events, modules and launches of the driver of tests.
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "fake_cuda.h"

namespace {

using fake_cuda::begin_call;

constexpr int kInvalidValue = 1, kInvalidContext = 201, kNoBinaryForGpu = 209, kInvalidPtx = 218,
              kInvalidHandle = 400, kNotFound = 500, kOutOfResources = 701;
constexpr double kLaunchMs = 0.01;

struct FakeModule {
  std::string ptx;
};

struct FakeKernel {
  std::string name;
  unsigned shared_bytes = 49152;
};

// Of a process: the one context, and whether a thread has it.
int context_object = 0;   // NOLINT
bool is_current = false;  // NOLINT

int target_of(const std::string& ptx) {
  const size_t at = ptx.find(".target sm_");
  return at == std::string::npos ? 0 : std::atoi(ptx.c_str() + at + std::strlen(".target sm_"));
}

std::string dimensions(unsigned x, unsigned y, unsigned z) {
  return std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z);
}

}  // namespace

extern "C" {

int cuDevicePrimaryCtxRetain(void** context, int) {
  if (const int code = begin_call("cuDevicePrimaryCtxRetain"); code != 0) return code;
  *context = &context_object;
  return 0;
}

int cuDevicePrimaryCtxRelease_v2(int) { return begin_call("cuDevicePrimaryCtxRelease"); }

int cuCtxSetCurrent(void* context) {
  if (const int code = begin_call("cuCtxSetCurrent"); code != 0) return code;
  if (context != &context_object) return kInvalidContext;
  is_current = true;
  return 0;
}

int cuCtxPushCurrent_v2(void* context) {
  if (const int code = begin_call("cuCtxPushCurrent"); code != 0) return code;
  return context == &context_object ? 0 : kInvalidContext;
}

int cuCtxPopCurrent_v2(void** context) {
  if (const int code = begin_call("cuCtxPopCurrent"); code != 0) return code;
  *context = &context_object;
  return 0;
}

int cuCtxSynchronize() { return begin_call("cuCtxSynchronize"); }

int cuStreamCreate(void** stream, unsigned) {
  if (const int code = begin_call("cuStreamCreate"); code != 0) return code;
  if (!is_current) return kInvalidContext;
  *stream = new int(0);
  return 0;
}

int cuStreamDestroy_v2(void* stream) {
  const int code = begin_call("cuStreamDestroy");
  delete static_cast<int*>(stream);
  return code;
}

int cuStreamSynchronize(void*) { return begin_call("cuStreamSynchronize"); }

int cuEventCreate(void** event, unsigned) {
  if (const int code = begin_call("cuEventCreate"); code != 0) return code;
  *event = new double(0);
  return 0;
}

int cuEventDestroy_v2(void* event) {
  const int code = begin_call("cuEventDestroy");
  delete static_cast<double*>(event);
  return code;
}

int cuEventRecord(void* event, void*) {
  if (const int code = begin_call("cuEventRecord"); code != 0) return code;
  *static_cast<double*>(event) = fake_cuda::now_ms();
  return 0;
}

int cuEventElapsedTime(float* ms, void* begin, void* end) {
  if (const int code = begin_call("cuEventElapsedTime"); code != 0) return code;
  const double first = *static_cast<double*>(begin), last = *static_cast<double*>(end);
  if (first == 0 || last == 0) return kInvalidHandle;
  *ms = static_cast<float>(last - first);
  return 0;
}

int cuModuleLoadDataEx(void** module, const void* image, unsigned count, int* options,
                       void** values) {
  constexpr int kMaxRegisters = 0, kErrorLog = 5, kErrorLogBytes = 6;
  if (const int code = begin_call("cuModuleLoadDataEx"); code != 0) return code;
  auto made = std::make_unique<FakeModule>(FakeModule{static_cast<const char*>(image)});
  std::string registers = "none";
  char* log = nullptr;
  size_t log_bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    const auto value = reinterpret_cast<size_t>(values[i]);
    if (options[i] == kMaxRegisters) registers = std::to_string(value);
    if (options[i] == kErrorLog) log = static_cast<char*>(values[i]);
    if (options[i] == kErrorLogBytes) log_bytes = value;
  }
  const int arch = fake_cuda::setting("FAKE_CUDA_ARCH", 75);
  const int target = target_of(made->ptx);
  if (target == 0 || target > arch) {
    const std::string words =
        "ptxas: no code of sm_" + std::to_string(target) + " for sm_" + std::to_string(arch);
    if (log != nullptr) std::strncpy(log, words.c_str(), log_bytes);
    return target == 0 ? kInvalidPtx : kNoBinaryForGpu;
  }
  fake_cuda::log("module sm_" + std::to_string(target) + " call " +
                 std::to_string(fake_cuda::calls()) + " registers " + registers);
  *module = made.release();
  return 0;
}

int cuModuleUnload(void* module) {
  const int code = begin_call("cuModuleUnload");
  delete static_cast<FakeModule*>(module);
  return code;
}

int cuModuleGetFunction(void** kernel, void* module, const char* name) {
  if (const int code = begin_call("cuModuleGetFunction"); code != 0) return code;
  const std::string& ptx = static_cast<FakeModule*>(module)->ptx;
  const size_t entry = ptx.find(".entry " + std::string(name) + "(");
  if (entry == std::string::npos) return kNotFound;
  static std::map<std::pair<void*, std::string>, FakeKernel> kernels;
  *kernel = &kernels.try_emplace({module, name}, FakeKernel{name}).first->second;
  return 0;
}

int cuFuncSetAttribute(void* kernel, int attribute, int value) {
  constexpr int kMostDynamicShared = 8;
  if (const int code = begin_call("cuFuncSetAttribute"); code != 0) return code;
  constexpr int kMostShared = 65536;
  if (attribute != kMostDynamicShared || value > kMostShared) return kInvalidValue;
  static_cast<FakeKernel*>(kernel)->shared_bytes = static_cast<unsigned>(value);
  return 0;
}

int cuLaunchKernel(void* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   void*, void** arguments, void**) {
  constexpr unsigned kMostThreads = 1024, kMostZ = 64;
  if (const int code = begin_call("cuLaunchKernel"); code != 0) return code;
  const auto& launched = *static_cast<FakeKernel*>(kernel);
  const unsigned threads = block_x * block_y * block_z;
  if (arguments == nullptr || threads == 0 || grid_x * grid_y * grid_z == 0) return kInvalidValue;
  if (threads > kMostThreads || block_z > kMostZ) return kInvalidValue;
  if (shared_bytes > launched.shared_bytes) return kOutOfResources;
  fake_cuda::pass_ms(kLaunchMs);
  fake_cuda::log("launch " + launched.name + " grid " + dimensions(grid_x, grid_y, grid_z) +
                 " block " + dimensions(block_x, block_y, block_z) + " shared " +
                 std::to_string(shared_bytes));
  return 0;
}

}  // extern "C"
