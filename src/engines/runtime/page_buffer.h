#pragma once

#include <cstddef>
#include <utility>

#include "engines/runtime/kernel_runtime.h"

namespace opbench {

/// Memory in pages of its own, freed with this object.
class PageBuffer {
 public:
  explicit PageBuffer(size_t bytes)
      : data_(static_cast<std::byte*>(allocate_pages(bytes))), bytes_(bytes) {}
  PageBuffer(PageBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  PageBuffer& operator=(PageBuffer&&) = delete;
  PageBuffer(const PageBuffer&) = delete;
  PageBuffer& operator=(const PageBuffer&) = delete;
  ~PageBuffer() { free_pages(data_, bytes_); }
  std::byte* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  std::byte* data_;
  size_t bytes_;
};

}  // namespace opbench
