#pragma once

#include <cstddef>

namespace opbench {

/// Memory of whole huge pages where the kernel gives them: else DRAM is measured with TLB misses.
/// Every byte is 1. Throws std::bad_alloc where there is not enough.
class HugePages {
 public:
  explicit HugePages(size_t bytes);
  ~HugePages();
  HugePages(const HugePages&) = delete;
  HugePages& operator=(const HugePages&) = delete;
  const std::byte* start() const { return start_; }
  std::byte* start() { return start_; }
  size_t size() const { return bytes_; }

 private:
  size_t bytes_;
  std::byte* start_ = nullptr;
};

}  // namespace opbench
