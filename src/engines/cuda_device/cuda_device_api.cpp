#include "engines/cuda_device/cuda_device_api.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "engines/cuda_device/cuda_hooks.h"
#include "engines/cuda_device/cuda_queue.h"

namespace opbench {
namespace {

constexpr int64_t kCudaBoundary = 128;  ///< bytes: a line of a GPU's caches
// Numbers of CUdevice_attribute.
constexpr int kCapabilityMajor = 75, kCapabilityMinor = 76;

tl::unexpected<Error> refused_cuda(const std::string& what, CudaCode code) {
  return tl::make_unexpected(Error{ErrorCode::kSystem, what + ": " + cuda_error(code)});
}

class CudaBlock : public DeviceBlock {
 public:
  CudaBlock(CudaQueue& queue, CudaAddress memory, int64_t bytes)
      : queue_(queue), memory_(memory), bytes_(bytes) {}
  CudaBlock(const CudaBlock&) = delete;
  CudaBlock& operator=(const CudaBlock&) = delete;
  ~CudaBlock() override { queue_.cuda().free(memory_); }

  Result<DeviceMemory> part(int64_t offset, int64_t bytes) override {
    OPBENCH_CHECK(check_range(offset, bytes));
    return DeviceMemory{memory_ + static_cast<CudaAddress>(offset), cuda_memory_interface()};
  }

  Result<void> write(int64_t offset, const std::byte* from, int64_t bytes) override {
    if (bytes == 0) return {};
    OPBENCH_CHECK(check_range(offset, bytes));
    return copied(fmt::format("{} bytes were not copied", bytes), [&] {
      return queue_.cuda().write(memory_ + static_cast<CudaAddress>(offset), from,
                                 static_cast<size_t>(bytes), queue_.stream());
    });
  }

  Result<void> read(int64_t offset, std::byte* to, int64_t bytes) override {
    if (bytes == 0) return {};
    OPBENCH_CHECK(check_range(offset, bytes));
    return copied(fmt::format("{} bytes were not read", bytes), [&] {
      return queue_.cuda().read(to, memory_ + static_cast<CudaAddress>(offset),
                                static_cast<size_t>(bytes), queue_.stream());
    });
  }

 private:
  Result<void> check_range(int64_t offset, int64_t bytes) const {
    if (offset >= 0 && bytes >= 0 && offset + bytes <= bytes_) return {};
    return Error{ErrorCode::kSystem,
                 fmt::format("no {} bytes at byte {} of a block of {}", bytes, offset, bytes_)};
  }

  /// The copy has ended when this returns: its host memory is the caller's again.
  Result<void> copied(const std::string& failure, const std::function<CudaCode()>& copy) {
    CudaCode code = queue_.timed(copy);
    if (code == 0) code = queue_.checked([&] { return queue_.cuda().finish(queue_.stream()); });
    if (code != 0) return refused_cuda(failure, code);
    return {};
  }

  CudaQueue& queue_;
  CudaAddress memory_;
  int64_t bytes_;
};

class CudaDeviceApi : public DeviceApi {
 public:
  explicit CudaDeviceApi(std::unique_ptr<CudaQueue> queue) : queue_(std::move(queue)) {}

  int64_t alignment() const override { return kCudaBoundary; }

  Result<std::unique_ptr<DeviceBlock>> allocate(int64_t bytes) override {
    CudaAddress memory = 0;
    const CudaCode code = queue_->checked(
        [&] { return queue_->cuda().allocate(&memory, static_cast<size_t>(bytes)); });
    if (code != 0) {
      return refused_cuda(
          fmt::format("the device gives no {:.1f} MB", 1e-6 * static_cast<double>(bytes)), code);
    }
    return std::make_unique<CudaBlock>(*queue_, memory, bytes);
  }

  Result<void> synchronize() override { return queue_->synchronize(); }
  LaunchTimes take_times() override { return queue_->take_times(); }
  bool is_lost() const override { return !queue_->lost().empty(); }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    std::array<char, 256> name = {};
    queue_->cuda().device_name(name.data(), static_cast<int>(name.size()) - 1, queue_->device());
    int version = 0;
    queue_->cuda().version(&version);
    return {{"kind", "cuda"},
            {"description", name.data()},
            {"platform", "NVIDIA CUDA"},
            {"version",
             fmt::format("sm_{}{}", attribute(kCapabilityMajor), attribute(kCapabilityMinor))},
            {"driver", fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10)},
            {"clock", "event"}};
  }

 private:
  int attribute(int number) const {
    int value = 0;
    queue_->cuda().device_attribute(&value, number, queue_->device());
    return value;
  }

  std::unique_ptr<CudaQueue> queue_;
};

}  // namespace

Result<std::unique_ptr<DeviceApi>> open_cuda_device(int index, const std::string& library) {
  OPBENCH_TRY(const CudaFunctions cuda, load_cuda(library));
  if (const CudaCode code = cuda.init(0); code != 0) {
    return Error{ErrorCode::kEnvironment, "the CUDA driver does not start: " + cuda_error(code)};
  }
  int count = 0;
  if (const CudaCode code = cuda.device_count(&count); code != 0) {
    return Error{ErrorCode::kEnvironment, "the CUDA driver counts no devices: " + cuda_error(code)};
  }
  if (index < 0 || index >= count) {
    return Error{ErrorCode::kEnvironment, fmt::format("no CUDA device {}", index)}.with(
        "valid", count == 0 ? "there is none" : fmt::format("0 to {}", count - 1));
  }
  int device = 0;
  if (const CudaCode code = cuda.device(&device, index); code != 0) {
    return refused_cuda(fmt::format("the CUDA driver gives no device {}", index), code);
  }
  OPBENCH_TRY(auto queue, CudaQueue::make(cuda, device));
  return std::make_unique<CudaDeviceApi>(std::move(queue));
}

}  // namespace opbench
