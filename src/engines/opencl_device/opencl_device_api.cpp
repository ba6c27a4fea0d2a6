#include "engines/opencl_device/opencl_device_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "base/tensors/tensor_size.h"
#include "engines/opencl_device/halide_hooks.h"
#include "engines/opencl_device/opencl_queue.h"

namespace opbench {
namespace {

constexpr cl_int kNoPlatform = -1001;  ///< CL_PLATFORM_NOT_FOUND_KHR, of the ICD loader
constexpr cl_uint kMostPlatforms = 16;
constexpr cl_uint kMostDevices = 64;  ///< of a platform

tl::unexpected<Error> refused(const std::string& what, cl_int code) {
  return tl::make_unexpected(Error{ErrorCode::kSystem, what + ": " + opencl_error(code)});
}

class OpenClBlock : public DeviceBlock {
 public:
  OpenClBlock(OpenClQueue& queue, cl_mem memory, int64_t bytes)
      : queue_(queue), memory_(memory), bytes_(bytes) {}
  OpenClBlock(const OpenClBlock&) = delete;
  OpenClBlock& operator=(const OpenClBlock&) = delete;

  ~OpenClBlock() override {
    for (auto& [range, part] : parts_) {
      halide_opencl_detach_cl_mem(nullptr, &part.buffer);
      if (part.memory != memory_) queue_.cl().release_memory(part.memory);
    }
    queue_.cl().release_memory(memory_);
  }

  Result<DeviceMemory> part(int64_t offset, int64_t bytes) override {
    const auto known = parts_.find({offset, bytes});
    if (known != parts_.end()) return memory_of(known->second);
    Part made;
    made.memory = memory_;
    if (offset != 0 || bytes != bytes_) {
      const cl_buffer_region region = {static_cast<size_t>(offset), static_cast<size_t>(bytes)};
      cl_int code = CL_SUCCESS;
      made.memory = queue_.cl().create_part(memory_, CL_MEM_READ_WRITE,
                                            CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
      if (code != CL_SUCCESS) {
        return refused(
            fmt::format("the device gives no {} bytes at byte {} of a block", bytes, offset), code);
      }
    }
    const int code =
        halide_opencl_wrap_cl_mem(nullptr, &made.buffer, reinterpret_cast<uint64_t>(made.memory));
    if (code != 0) return refused("Halide's runtime takes no memory", code);
    return memory_of(parts_.emplace(std::pair(offset, bytes), made).first->second);
  }

  Result<void> write(int64_t offset, const std::byte* from, int64_t bytes) override {
    if (bytes == 0) return {};
    cl_event event = nullptr;
    const cl_int code =
        queue_.cl().write(queue_.queue(), memory_, CL_TRUE, static_cast<size_t>(offset),
                          static_cast<size_t>(bytes), from, 0, nullptr, &event);
    if (code != CL_SUCCESS) return refused(fmt::format("{} bytes were not copied", bytes), code);
    queue_.take(event);
    return {};
  }

  Result<void> read(int64_t offset, std::byte* to, int64_t bytes) override {
    if (bytes == 0) return {};
    cl_event event = nullptr;
    const cl_int code =
        queue_.cl().read(queue_.queue(), memory_, CL_TRUE, static_cast<size_t>(offset),
                         static_cast<size_t>(bytes), to, 0, nullptr, &event);
    if (code != CL_SUCCESS) return refused(fmt::format("{} bytes were not read", bytes), code);
    queue_.take(event);
    return {};
  }

 private:
  struct Part {
    cl_mem memory = nullptr;
    KernelBuffer buffer;  ///< holds Halide's handle
  };
  static DeviceMemory memory_of(const Part& part) {
    return {part.buffer.device, part.buffer.device_interface};
  }

  OpenClQueue& queue_;
  cl_mem memory_;
  int64_t bytes_;
  std::map<std::pair<int64_t, int64_t>, Part> parts_;  ///< by offset and bytes
};

class OpenClDeviceApi : public DeviceApi {
 public:
  explicit OpenClDeviceApi(std::unique_ptr<OpenClQueue> queue, std::string platform)
      : queue_(std::move(queue)), platform_(std::move(platform)) {}

  int64_t alignment() const override {
    cl_uint bits = 0;
    queue_->cl().device_info(queue_->device(), CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits,
                             nullptr);
    return std::max<int64_t>(1, bits / 8);
  }

  int64_t cache_bytes() const override {
    cl_ulong bytes = 0;
    queue_->cl().device_info(queue_->device(), CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof bytes,
                             &bytes, nullptr);
    return static_cast<int64_t>(bytes);
  }

  Result<std::unique_ptr<DeviceBlock>> allocate(int64_t bytes) override {
    cl_int code = CL_SUCCESS;
    const cl_mem memory = queue_->cl().create_buffer(queue_->context(), CL_MEM_READ_WRITE,
                                                     static_cast<size_t>(bytes), nullptr, &code);
    if (code != CL_SUCCESS) return refused(why_no_block(bytes), code);
    return std::make_unique<OpenClBlock>(*queue_, memory, bytes);
  }

  Result<void> synchronize() override { return queue_->synchronize(); }
  LaunchTimes take_times() override { return queue_->take_times(); }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"kind", "opencl"},
            {"description", text(CL_DEVICE_NAME)},
            {"platform", platform_},
            {"version", text(CL_DEVICE_VERSION)},
            {"driver", text(CL_DRIVER_VERSION)},
            {"units", number(CL_DEVICE_MAX_COMPUTE_UNITS)},
            {"clock", "event"},
            {"max_clock_mhz", number(CL_DEVICE_MAX_CLOCK_FREQUENCY)},
            {"throttling", "not known: OpenCL does not tell the clock of the moment"}};
  }

 private:
  std::string number(cl_device_info what) const {
    cl_uint value = 0;
    queue_->cl().device_info(queue_->device(), what, sizeof value, &value, nullptr);
    return std::to_string(value);
  }

  /// A block may be larger than any that the device gives, whatever is left.
  std::string why_no_block(int64_t bytes) const {
    cl_ulong largest = 0;
    queue_->cl().device_info(queue_->device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest,
                             &largest, nullptr);
    if (largest == 0 || static_cast<cl_ulong>(bytes) <= largest) {
      return fmt::format("the device has no {} left", size_text(static_cast<double>(bytes)));
    }
    return fmt::format("the device gives no block of {}, {} at most",
                       size_text(static_cast<double>(bytes)),
                       size_text(static_cast<double>(largest)));
  }

  std::string text(cl_device_info what) const {
    std::array<char, 512> value = {};
    queue_->cl().device_info(queue_->device(), what, value.size() - 1, value.data(), nullptr);
    return value.data();
  }

  std::unique_ptr<OpenClQueue> queue_;
  std::string platform_;
};

/// A device with the name of its platform.
using PlacedDevice = std::pair<cl_device_id, std::string>;

Result<std::vector<PlacedDevice>> devices_of(const OpenClFunctions& cl) {
  std::array<cl_platform_id, kMostPlatforms> platforms = {};
  cl_uint count = 0;
  const cl_int code = cl.platforms(kMostPlatforms, platforms.data(), &count);
  if (code == kNoPlatform || (code == CL_SUCCESS && count == 0)) {
    return Error{ErrorCode::kEnvironment, "no OpenCL driver (ICD) is installed"}.with(
        "remedy", "install the device's driver; pocl-opencl-icd makes a device of the CPU");
  }
  if (code != CL_SUCCESS) return refused("OpenCL's library names no platform", code);
  std::vector<PlacedDevice> devices;
  for (cl_uint i = 0; i < std::min(count, kMostPlatforms); ++i) {
    std::array<char, 256> name = {};
    cl.platform_info(platforms[i], CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr);
    std::array<cl_device_id, kMostDevices> found = {};
    cl_uint of_platform = 0;
    if (cl.devices(platforms[i], CL_DEVICE_TYPE_ALL, kMostDevices, found.data(), &of_platform) !=
        CL_SUCCESS) {
      continue;
    }
    for (cl_uint d = 0; d < std::min(of_platform, kMostDevices); ++d) {
      devices.emplace_back(found[d], name.data());
    }
  }
  return devices;
}

/// A device of `units` units of the device, for as long as the process lives.
Result<cl_device_id> part_of(const OpenClFunctions& cl, cl_device_id device, int units) {
  cl_uint all = 0;
  cl.device_info(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof all, &all, nullptr);
  if (std::cmp_equal(all, units)) return device;
  if (std::cmp_greater(units, all)) {
    return Error{ErrorCode::kEnvironment, fmt::format("the OpenCL device has no {} units", units)}
        .with("units in this run", std::to_string(all))
        .with("remedy", "PoCL has a unit a thread of the run: raise --threads");
  }
  const std::array<cl_device_partition_property, 4> wanted = {
      CL_DEVICE_PARTITION_BY_COUNTS, units, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id part = nullptr;
  cl_uint parts = 0;
  const cl_int code = cl.create_part_of_device(device, wanted.data(), 1, &part, &parts);
  if (code != CL_SUCCESS) return refused(fmt::format("the device gives no {} units", units), code);
  return part;
}

}  // namespace

Result<std::unique_ptr<DeviceApi>> open_opencl_device(int index, const std::string& library,
                                                      int units) {
  OPBENCH_TRY(const OpenClFunctions cl, load_opencl(library));
  OPBENCH_TRY(const std::vector<PlacedDevice> devices, devices_of(cl));
  if (index < 0 || index >= std::ssize(devices)) {
    return Error{ErrorCode::kEnvironment, fmt::format("no OpenCL device {}", index)}.with(
        "valid", devices.empty() ? "there is none" : fmt::format("0 to {}", devices.size() - 1));
  }
  auto [device, platform] = devices[static_cast<size_t>(index)];
  if (units > 0) {
    OPBENCH_TRY(device, part_of(cl, device, units));
  }
  OPBENCH_TRY(auto queue, OpenClQueue::make(cl, device));
  return std::make_unique<OpenClDeviceApi>(std::move(queue), platform);
}

}  // namespace opbench
