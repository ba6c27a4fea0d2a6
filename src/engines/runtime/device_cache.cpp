#include "engines/runtime/device_cache.h"

#include <algorithm>

namespace opbench {
namespace {

constexpr double kMostFlushed = 0x1p30;

Error cannot_flush(const std::string& reason) {
  return {ErrorCode::kSystem, "the device's cache cannot be emptied: " + reason};
}

}  // namespace

Result<void> DeviceCache::flush(double times) {
  const int64_t cache = device_.cache_bytes();
  if (cache <= 0) return cannot_flush("the device does not say how large it is");
  const auto bytes =
      static_cast<int64_t>(std::min(times * static_cast<double>(cache), kMostFlushed));
  if (block_ == nullptr || std::ssize(bytes_) != bytes) {
    block_.reset();
    auto block = device_.allocate(bytes);
    if (!block) return cannot_flush(block.error().message);
    block_ = std::move(*block);
    bytes_.assign(static_cast<size_t>(bytes), std::byte{1});
  }
  const Result<void> written = block_->write(0, bytes_.data(), bytes);
  if (!written) return cannot_flush(written.error().message);
  return device_.synchronize();
}

}  // namespace opbench
