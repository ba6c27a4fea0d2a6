#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// Memory of a device as kernels name it: what a halide_buffer_t says of it.
struct DeviceMemory {
  uint64_t handle = 0;
  const void* interface = nullptr;
  bool operator==(const DeviceMemory&) const = default;
};

/// A block of a device's memory, freed with this object. Copies wait for what was launched before
/// them. Errors are of code kSystem, with the driver's number.
class DeviceBlock {
 public:
  virtual ~DeviceBlock() = default;

  /// The `bytes` from `offset` on, which is a multiple of the API's alignment. Valid as long as the
  /// block.
  virtual Result<DeviceMemory> part(int64_t offset, int64_t bytes) = 0;
  virtual Result<void> write(int64_t offset, const std::byte* from, int64_t bytes) = 0;
  virtual Result<void> read(int64_t offset, std::byte* to, int64_t bytes) = 0;
};

/// What launches took by the device's own clock.
struct LaunchTimes {
  int64_t launches = 0;
  double seconds = 0;   ///< their sum; idle time between them does not count
  double copies_s = 0;  ///< the part of it that copies between host and device took
  bool operator==(const LaunchTimes&) const = default;
};

/// A device beside the host: its memory and its clock. Launches are kernels' own calls. A package
/// without one runs on the host, which needs none of this.
class DeviceApi {
 public:
  virtual ~DeviceApi() = default;

  /// Where parts of a block may begin, in bytes.
  virtual int64_t alignment() const = 0;

  /// `kSystem` when the device has no such block left.
  virtual Result<std::unique_ptr<DeviceBlock>> allocate(int64_t bytes) = 0;

  /// Returns when all that was launched has ended. An error when something of it failed.
  virtual Result<void> synchronize() = 0;

  /// Of what has ended since it was asked last.
  virtual LaunchTimes take_times() = 0;

  /// Of its largest cache, in bytes; 0: the device does not say.
  virtual int64_t cache_bytes() const { return 0; }
  /// True after a failure that ended the device's context: every later call fails too.
  virtual bool is_lost() const { return false; }

  /// What the device is, for records: pairs of a name and a value.
  virtual std::vector<std::pair<std::string, std::string>> facts() const = 0;
};

}  // namespace opbench
