#include "machine/devices/opencl_search.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "base/files/temporary_place.h"
#include "machine/devices/probed_devices.h"

namespace opbench {
namespace {

constexpr cl_int kNoPlatform = -1001;  ///< CL_PLATFORM_NOT_FOUND_KHR, of the ICD loader
constexpr cl_uint kMostPlatforms = 16;
constexpr cl_uint kMostDevices = 64;  ///< of a platform

struct OpenClQueries {
  decltype(&clGetPlatformIDs) platforms = nullptr;
  decltype(&clGetPlatformInfo) platform_info = nullptr;
  decltype(&clGetDeviceIDs) devices = nullptr;
  decltype(&clGetDeviceInfo) device_info = nullptr;
};

template <class Function>
bool take_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

/// The short name of a driver, by its platform's: `pocl`, `nvidia`, `intel`.
std::string driver_word(const std::string& platform) {
  if (platform == "Portable Computing Language") return "pocl";
  std::string word;
  for (const char c : platform) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) == 0) break;
    word += static_cast<char>(std::tolower(byte));
  }
  return word;
}

class OpenClSearch {
 public:
  /// {"devices": […]}, or {"reason": …}.
  Json look(const std::string& library) {
    void* const loaded = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (loaded == nullptr) {
      return reason(
          fmt::format("the library {} is not installed (package ocl-icd-libopencl1)", library));
    }
    const bool is_whole = take_function(loaded, "clGetPlatformIDs", cl_.platforms) &&
                          take_function(loaded, "clGetPlatformInfo", cl_.platform_info) &&
                          take_function(loaded, "clGetDeviceIDs", cl_.devices) &&
                          take_function(loaded, "clGetDeviceInfo", cl_.device_info);
    if (!is_whole) return reason(fmt::format("{} is not OpenCL's library", library));
    std::array<cl_platform_id, kMostPlatforms> platforms = {};
    cl_uint count = 0;
    const cl_int code = cl_.platforms(kMostPlatforms, platforms.data(), &count);
    if (code == kNoPlatform || (code == CL_SUCCESS && count == 0)) {
      return reason("no OpenCL driver is installed (/etc/OpenCL/vendors lists none)");
    }
    if (code != CL_SUCCESS) return reason(fmt::format("clGetPlatformIDs returned {}", code));
    Json devices = Json::array();
    for (cl_uint i = 0; i < std::min(count, kMostPlatforms); ++i)
      add_devices(platforms[i], devices);
    if (devices.empty()) return reason("the OpenCL drivers find no device");
    return {{"devices", std::move(devices)}};
  }

 private:
  static Json reason(std::string text) { return {{"reason", std::move(text)}}; }

  void add_devices(cl_platform_id platform, Json& devices) const {
    std::array<char, 256> name = {};
    cl_.platform_info(platform, CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr);
    std::array<cl_device_id, kMostDevices> found = {};
    cl_uint count = 0;
    const cl_int code =
        cl_.devices(platform, CL_DEVICE_TYPE_ALL, kMostDevices, found.data(), &count);
    if (code != CL_SUCCESS) return;
    for (cl_uint i = 0; i < std::min(count, kMostDevices); ++i) {
      devices.push_back(description_of(found[i], name.data()));
    }
  }

  std::string text(cl_device_id device, cl_device_info what) const {
    size_t bytes = 0;
    if (cl_.device_info(device, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return "";
    std::string value(bytes, '\0');
    if (cl_.device_info(device, what, bytes, value.data(), nullptr) != CL_SUCCESS) return "";
    return value.substr(0, value.find('\0'));
  }

  template <class T>
  uint64_t number(cl_device_id device, cl_device_info what) const {
    T value = 0;
    return cl_.device_info(device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : 0;
  }

  Json description_of(cl_device_id device, const char* platform) const {
    const std::string extensions = text(device, CL_DEVICE_EXTENSIONS);
    const auto has = [&](const char* extension) {
      return extensions.find(extension) != std::string::npos ? "yes" : "no";
    };
    const auto megabytes = [&](cl_device_info what) {
      return fmt::format("{:.0f} MB", static_cast<double>(number<cl_ulong>(device, what)) / 1e6);
    };
    const bool has_local =
        number<cl_device_local_mem_type>(device, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL;
    Json facts = Json::array();
    const auto add = [&](const char* label, std::string value) {
      facts.push_back({{"label", label}, {"text", std::move(value)}});
    };
    add("platform", platform);
    add("version", text(device, CL_DEVICE_VERSION));
    add("driver", text(device, CL_DRIVER_VERSION));
    const auto units = number<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    add("units", std::to_string(units));
    add("memory", megabytes(CL_DEVICE_GLOBAL_MEM_SIZE));
    add("largest buffer", megabytes(CL_DEVICE_MAX_MEM_ALLOC_SIZE));
    add("largest group", fmt::format("{}", number<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE)));
    add("local memory",
        fmt::format("{} kB, {}", number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE) / 1024,
                    has_local ? "its own" : "part of the global one"));
    add("float16", has("cl_khr_fp16"));
    add("float64", has("cl_khr_fp64"));
    return {{"description", text(device, CL_DEVICE_NAME)},
            {"driver", driver_word(platform)},
            {"boundary", number<cl_uint>(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8},
            {"units", is_divisible(device) ? units : 0},
            {"facts", std::move(facts)}};
  }

  /// Whether parts of the device with a number of its units can be used alone.
  bool is_divisible(cl_device_id device) const {
    std::array<cl_device_partition_property, 16> ways = {};
    size_t bytes = 0;
    if (cl_.device_info(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof ways, ways.data(), &bytes) !=
        CL_SUCCESS) {
      return false;
    }
    const auto end = ways.begin() + static_cast<std::ptrdiff_t>(bytes / sizeof ways[0]);
    return std::find(ways.begin(), end, CL_DEVICE_PARTITION_BY_COUNTS) != end;
  }

  OpenClQueries cl_;
};

/// A folder for what drivers write while they are asked: PoCL makes its cache then. Gone with this
/// object; empty where there is no place for it.
class SearchFolder {
 public:
  SearchFolder() {
    const auto place = temporary_place(PlaceUse::kFiles);
    if (!place) return;
    std::string name = (*place / "opbench-devices-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  SearchFolder(const SearchFolder&) = delete;
  SearchFolder& operator=(const SearchFolder&) = delete;
  ~SearchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

Result<std::vector<FoundDevice>> find_opencl_devices(const std::string& library) {
  const SearchFolder folder;
  const auto look = [&] {
    constexpr int kKeep = 0;  // what the user has set
    if (!folder.path().empty()) ::setenv("POCL_CACHE_DIR", folder.path().c_str(), kKeep);
    return OpenClSearch().look(library);
  };
  return probed_devices("opencl", look);
}

}  // namespace opbench
