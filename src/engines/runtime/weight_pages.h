#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "engines/runtime/page_buffer.h"

namespace opbench {

/// The weights of packages that share a file. The file only grows, so what is in memory stays, and
/// a package that needs more of it reads the rest.
class WeightPages {
 public:
  WeightPages();

  /// Reads the file up to `bytes`. `kInvalidInput` where it is shorter, or is another file than the
  /// one that was read before.
  Result<void> read_to(const std::filesystem::path& path, int64_t bytes);

  /// The bytes at `offset` of the file; null where they do not lie together in memory. Those of a
  /// package that was read do.
  std::byte* find(int64_t offset, int64_t bytes) const;

 private:
  struct Part {
    int64_t begin = 0;
    int64_t end = 0;
    PageBuffer pages;
  };
  std::vector<Part> parts_;
  std::pair<uint64_t, uint64_t> file_;  ///< device and inode
  int64_t end_ = 0;
};

}  // namespace opbench
