#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engines/runtime/device_api.h"

namespace opbench {

/// Empties a device's cache: memory of some times its size is written, and waited for. The memory
/// is the device's until this object ends, from the first flush on. Valid as long as the device.
class DeviceCache {
 public:
  explicit DeviceCache(DeviceApi& device) : device_(device) {}

  /// `times`: the cache's size, at most 1 GiB in all. `kSystem` when the device does not say how
  /// large its cache is, has no such memory left, or takes no copy.
  Result<void> flush(double times);

 private:
  DeviceApi& device_;
  std::vector<std::byte> bytes_;
  std::unique_ptr<DeviceBlock> block_;
};

}  // namespace opbench
