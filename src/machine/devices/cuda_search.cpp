#include "machine/devices/cuda_search.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

#include "machine/devices/probed_devices.h"

namespace opbench {
namespace {

// What is asked of CUDA's driver interface, whose header only the toolkit has.
constexpr int kCudaSuccess = 0, kCudaStub = 34, kCudaNoDevice = 100;

// Numbers of CUdevice_attribute.
enum CudaAttribute {
  kThreadsPerBlock = 1,
  kSharedBytesPerBlock = 8,
  kClockKhz = 13,
  kMultiprocessors = 16,
  kMemoryClockKhz = 36,
  kMemoryBusBits = 37,
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
  kSharedBytesAtMost = 97
};

struct CudaQueries {
  int (*init)(unsigned flags) = nullptr;
  int (*version)(int* version) = nullptr;
  int (*count)(int* count) = nullptr;
  int (*device)(int* device, int ordinal) = nullptr;
  int (*name)(char* name, int length, int device) = nullptr;
  int (*memory)(size_t* bytes, int device) = nullptr;
  int (*attribute)(int* value, int attribute, int device) = nullptr;
};

template <class Function>
bool take_cuda_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

class CudaSearch {
 public:
  /// {"devices": […]}, or {"reason": …}.
  Json look(const std::string& library) {
    void* const loaded = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (loaded == nullptr) {
      return reason(fmt::format("the driver's library {} is not installed", library));
    }
    const bool is_whole = take_cuda_function(loaded, "cuInit", cuda_.init) &&
                          take_cuda_function(loaded, "cuDriverGetVersion", cuda_.version) &&
                          take_cuda_function(loaded, "cuDeviceGetCount", cuda_.count) &&
                          take_cuda_function(loaded, "cuDeviceGet", cuda_.device) &&
                          take_cuda_function(loaded, "cuDeviceGetName", cuda_.name) &&
                          take_cuda_function(loaded, "cuDeviceTotalMem_v2", cuda_.memory) &&
                          take_cuda_function(loaded, "cuDeviceGetAttribute", cuda_.attribute);
    if (!is_whole) return reason(fmt::format("{} is not CUDA's driver", library));
    const int started = cuda_.init(0);
    if (started == kCudaStub) {
      return reason(fmt::format("{} is the toolkit's stub, not a driver", library));
    }
    if (started == kCudaNoDevice) return reason("the CUDA driver finds no device");
    if (started != kCudaSuccess) return reason(fmt::format("cuInit returned {}", started));
    int count = 0;
    const int counted = cuda_.count(&count);
    if (counted != kCudaSuccess)
      return reason(fmt::format("cuDeviceGetCount returned {}", counted));
    Json devices = Json::array();
    for (int i = 0; i < count; ++i) {
      int device = 0;
      if (cuda_.device(&device, i) == kCudaSuccess) devices.push_back(description_of(device));
    }
    if (devices.empty()) return reason("the CUDA driver finds no device");
    return {{"devices", std::move(devices)}};
  }

 private:
  static Json reason(std::string text) { return {{"reason", std::move(text)}}; }

  /// `value / divisor` and the unit; `unknown` where the driver refuses.
  std::string text(CudaAttribute attribute, int device, int divisor, const char* unit) const {
    int value = 0;
    if (cuda_.attribute(&value, attribute, device) != kCudaSuccess) return "unknown";
    return fmt::format("{}{}", value / divisor, unit);
  }

  std::string driver_version() const {
    int version = 0;
    if (cuda_.version(&version) != kCudaSuccess) return "unknown";
    return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  }

  Json description_of(int device) const {
    std::array<char, 256> name = {};
    cuda_.name(name.data(), static_cast<int>(name.size()) - 1, device);
    size_t bytes = 0;
    cuda_.memory(&bytes, device);
    Json facts = Json::array();
    const auto add = [&](const char* label, std::string text) {
      facts.push_back({{"label", label}, {"text", std::move(text)}});
    };
    const std::string major = text(kCapabilityMajor, device, 1, "");
    const std::string minor = text(kCapabilityMinor, device, 1, "");
    const bool is_known = major != "unknown" && minor != "unknown";
    add("capability", fmt::format("{}.{} (sm_{}{})", major, minor, major, minor));
    add("driver", driver_version());
    add("multiprocessors", text(kMultiprocessors, device, 1, ""));
    add("clock", text(kClockKhz, device, 1000, " MHz"));
    add("memory", fmt::format("{:.0f} MB", static_cast<double>(bytes) / 1e6));
    add("memory clock", text(kMemoryClockKhz, device, 1000, " MHz"));
    add("memory bus", text(kMemoryBusBits, device, 1, " bits"));
    add("largest group", text(kThreadsPerBlock, device, 1, ""));
    add("shared memory", text(kSharedBytesPerBlock, device, 1024, " kB"));
    add("largest shared memory", text(kSharedBytesAtMost, device, 1024, " kB"));
    return {{"description", name.data()},
            {"boundary", 128},  // a line of a GPU's caches
            {"arch", is_known ? fmt::format("sm_{}{}", major, minor) : ""},
            {"facts", std::move(facts)}};
  }

  CudaQueries cuda_;
};

}  // namespace

Result<std::vector<FoundDevice>> find_cuda_devices(const std::string& library) {
  return probed_devices("cuda", [&] { return CudaSearch().look(library); });
}

}  // namespace opbench
