#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace opbench {

/// Texts of one chunk of rows: they stay where they are until clear().
class TextArena {
 public:
  /// Room for `size` bytes, to be filled from the front.
  char* reserve(size_t size) {
    while (slab_ < slabs_.size() && slabs_[slab_].size - used_ < size) {
      ++slab_;
      used_ = 0;
    }
    if (slab_ == slabs_.size()) {
      const size_t wanted = size > kSlabBytes ? size : kSlabBytes;
      slabs_.push_back({std::make_unique<char[]>(wanted), wanted});
      used_ = 0;
    }
    return slabs_[slab_].bytes.get() + used_;
  }

  /// Keeps what was filled up to `end`.
  std::string_view keep(const char* begin, const char* end) {
    used_ = static_cast<size_t>(end - slabs_[slab_].bytes.get());
    return {begin, static_cast<size_t>(end - begin)};
  }

  std::string_view copy(std::string_view text) {
    char* const begin = reserve(text.size() + 1);
    std::memcpy(begin, text.data(), text.size());
    return keep(begin, begin + text.size());
  }

  /// Forgets the texts. Large slabs are given back.
  void clear() {
    std::erase_if(slabs_, [](const Slab& slab) { return slab.size > kSlabBytes; });
    slab_ = used_ = 0;
  }

 private:
  static constexpr size_t kSlabBytes = size_t{256} << 10;
  struct Slab {
    std::unique_ptr<char[]> bytes;
    size_t size;
  };
  std::vector<Slab> slabs_;
  size_t slab_ = 0, used_ = 0;
};

}  // namespace opbench
