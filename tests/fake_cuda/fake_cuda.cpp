// What a driver tells of its devices, and their memory.
#include "fake_cuda.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace {

using fake_cuda::begin_call;
using fake_cuda::setting;

constexpr int kInvalidValue = 1, kOutOfMemory = 2;
constexpr double kBytesOfMs = 1e7;  // that a copy moves

std::map<uint64_t, size_t>& blocks() {
  static std::map<uint64_t, size_t> blocks;
  return blocks;
}

size_t memory_bytes() {
  const char* const text = std::getenv("FAKE_CUDA_MEMORY");
  return text == nullptr ? size_t{8000} << 20 : static_cast<size_t>(std::atoll(text));
}

bool is_in_block(uint64_t address, size_t bytes) {
  auto next = blocks().upper_bound(address);
  if (next == blocks().begin()) return false;
  --next;
  return address + bytes <= next->first + next->second;
}

int copy(const char* name, uint64_t device, size_t bytes, const char* direction) {
  if (const int code = begin_call(name); code != 0) return code;
  if (!is_in_block(device, bytes)) return kInvalidValue;
  fake_cuda::pass_ms(static_cast<double>(bytes) / kBytesOfMs);
  fake_cuda::log("copy " + std::string(direction) + " " + std::to_string(bytes));
  return 0;
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
  if (setting("FAKE_CUDA_CRASH", 0) != 0) std::abort();
  return setting("FAKE_CUDA_INIT", 0);
}

int cuDriverGetVersion(int* version) {
  if (const int code = begin_call("cuDriverGetVersion"); code != 0) return code;
  *version = 13010;
  return 0;
}

int cuDeviceGetCount(int* count) {
  if (const int code = begin_call("cuDeviceGetCount"); code != 0) return code;
  *count = setting("FAKE_CUDA_DEVICES", 1);
  return 0;
}

int cuDeviceGet(int* device, int ordinal) {
  if (const int code = begin_call("cuDeviceGet"); code != 0) return code;
  if (ordinal < 0 || ordinal >= setting("FAKE_CUDA_DEVICES", 1)) return kInvalidValue;
  *device = ordinal;
  return 0;
}

int cuDeviceGetName(char* name, int length, int device) {
  if (const int code = begin_call("cuDeviceGetName"); code != 0) return code;
  std::snprintf(name, static_cast<size_t>(length), "Turing of tests %d", device);
  return 0;
}

int cuDeviceTotalMem_v2(size_t* bytes, int) {
  if (const int code = begin_call("cuDeviceTotalMem"); code != 0) return code;
  *bytes = memory_bytes();
  return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kMajor = 75, kMinor = 76, kTen = 10;
  if (const int code = begin_call("cuDeviceGetAttribute"); code != 0) return code;
  if (attribute == setting("FAKE_CUDA_REFUSES", -1)) return kInvalidValue;
  const int arch = setting("FAKE_CUDA_ARCH", 75);
  *value = 1024;
  if (attribute == kMajor) *value = arch / kTen;
  if (attribute == kMinor) *value = arch % kTen;
  return 0;
}

int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  if (const int code = begin_call("cuMemAlloc"); code != 0) return code;
  if (bytes == 0) return kInvalidValue;
  size_t taken = 0;
  for (const auto& [begin, size] : blocks()) taken += size;
  if (bytes > memory_bytes() - taken) return kOutOfMemory;
  constexpr size_t kBoundary = 256;
  void* const memory =
      std::aligned_alloc(kBoundary, (bytes + kBoundary - 1) / kBoundary * kBoundary);
  if (memory == nullptr) return kOutOfMemory;
  std::memset(memory, 0, bytes);
  *address = reinterpret_cast<uint64_t>(memory);
  blocks()[*address] = bytes;
  return 0;
}

int cuMemFree_v2(uint64_t address) {
  // Even when the context has ended, so that the tests' processes do not grow.
  const int code = begin_call("cuMemFree");
  const auto block = blocks().find(address);
  if (block == blocks().end()) return kInvalidValue;
  std::free(reinterpret_cast<void*>(address));
  blocks().erase(block);
  return code;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void*) {
  if (const int code = copy("cuMemcpyHtoDAsync", to, bytes, "to"); code != 0) return code;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}

int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void*) {
  if (const int code = copy("cuMemcpyDtoHAsync", from, bytes, "from"); code != 0) return code;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return 0;
}

// Halide's runtime looks these up and does not call them here.
int cuCtxCreate_v2(void**, unsigned, int) { return kInvalidValue; }
int cuCtxDestroy_v2(void*) { return kInvalidValue; }
int cuCtxGetApiVersion(void*, unsigned*) { return kInvalidValue; }
int cuCtxGetDevice(int*) { return kInvalidValue; }
int cuProfilerStop() { return kInvalidValue; }
int cuPointerGetAttribute(void*, int, uint64_t) { return kInvalidValue; }
int cuMemcpyHtoD_v2(uint64_t, const void*, size_t) { return kInvalidValue; }
int cuMemcpyDtoH_v2(void*, uint64_t, size_t) { return kInvalidValue; }
int cuMemcpyDtoD_v2(uint64_t, uint64_t, size_t) { return kInvalidValue; }
int cuMemcpyDtoDAsync_v2(uint64_t, uint64_t, size_t, void*) { return kInvalidValue; }
int cuMemcpy3D_v2(const void*) { return kInvalidValue; }
int cuModuleLoadData(void**, const void*) { return kInvalidValue; }

}  // extern "C"
