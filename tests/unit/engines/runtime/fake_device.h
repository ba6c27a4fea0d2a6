#pragma once

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/runtime/device_api.h"

namespace opbench {

/// A device whose memory is the host's. It counts, and fails when it is told to.
class FakeDevice : public DeviceApi {
 public:
  int64_t bytes_left = std::numeric_limits<int64_t>::max();
  int64_t copies_left = std::numeric_limits<int64_t>::max();
  std::string failure;  ///< of the next synchronize
  int64_t boundary = 128;
  int64_t cache = 0;
  int64_t written = 0;  ///< bytes
  int blocks = 0;
  int waits = 0;

  int64_t alignment() const override { return boundary; }

  Result<std::unique_ptr<DeviceBlock>> allocate(int64_t bytes) override {
    if (bytes > bytes_left) return Error{ErrorCode::kSystem, "the device is full"};
    bytes_left -= bytes;
    return std::make_unique<Block>(*this, bytes);
  }

  Result<void> synchronize() override {
    ++waits;
    if (failure.empty()) return {};
    return Error{ErrorCode::kSystem, std::exchange(failure, {})};
  }

  int64_t cache_bytes() const override { return cache; }
  LaunchTimes take_times() override { return std::exchange(times_, {}); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"kind", "fake"}};
  }

 private:
  class Block : public DeviceBlock {
   public:
    Block(FakeDevice& device, int64_t bytes)
        : device_(device), memory_(static_cast<size_t>(bytes), std::byte{0x77}) {
      ++device_.blocks;
    }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block() override {
      --device_.blocks;
      device_.bytes_left += static_cast<int64_t>(memory_.size());
    }
    Result<DeviceMemory> part(int64_t offset, int64_t) override {
      return DeviceMemory{reinterpret_cast<uint64_t>(memory_.data() + offset), this};
    }
    Result<void> write(int64_t offset, const std::byte* from, int64_t bytes) override {
      OPBENCH_CHECK(count_copy());
      std::memcpy(memory_.data() + offset, from, static_cast<size_t>(bytes));
      device_.written += bytes;
      return {};
    }
    Result<void> read(int64_t offset, std::byte* to, int64_t bytes) override {
      OPBENCH_CHECK(count_copy());
      std::memcpy(to, memory_.data() + offset, static_cast<size_t>(bytes));
      return {};
    }

   private:
    Result<void> count_copy() {
      if (device_.copies_left == 0) return Error{ErrorCode::kSystem, "the device has gone"};
      --device_.copies_left;
      ++device_.times_.launches;
      device_.times_.seconds += 0.5;
      device_.times_.copies_s += 0.5;
      return {};
    }
    FakeDevice& device_;
    std::vector<std::byte> memory_;
  };

  LaunchTimes times_;
};

}  // namespace opbench
