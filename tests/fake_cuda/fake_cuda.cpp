// A CUDA driver of our own for tests: it tells what FAKE_CUDA_* say, and computes nothing.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

int setting(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
  if (setting("FAKE_CUDA_CRASH", 0) != 0) std::abort();
  return setting("FAKE_CUDA_INIT", 0);
}

int cuDriverGetVersion(int* version) {
  *version = 13010;
  return 0;
}

int cuDeviceGetCount(int* count) {
  *count = setting("FAKE_CUDA_DEVICES", 1);
  return 0;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}

int cuDeviceGetName(char* name, int length, int device) {
  std::snprintf(name, static_cast<size_t>(length), "Turing of tests %d", device);
  return 0;
}

int cuDeviceTotalMem_v2(size_t* bytes, int) {
  *bytes = size_t{8000} << 20;
  return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kMajor = 75, kMinor = 76, kUnknown = 1;
  *value = attribute == kMajor ? 7 : attribute == kMinor ? 5 : 1024;
  return attribute == setting("FAKE_CUDA_REFUSES", -1) ? kUnknown : 0;
}

}  // extern "C"
