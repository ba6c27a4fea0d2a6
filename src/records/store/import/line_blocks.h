#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// Whole lines of a file, for one thread to work through.
struct LineBlock {
  std::string bytes;  ///< ends with a newline, unless it is torn; then kPadding zeros
  static constexpr size_t kPadding = 64;  ///< so that a scanner may look ahead
  std::string_view lines() const {
    return std::string_view(bytes).substr(0, bytes.size() - kPadding);
  }
  int64_t first_line = 1;
  bool is_torn = false;                 ///< the file's last line has no newline
  std::vector<int64_t> too_long_lines;  ///< skipped, before the block's first line
};

/// Cuts a file into blocks at line ends, in constant memory: lines beyond the limit are skipped.
class LineBlocks {
 public:
  /// `kInvalidInput` if it cannot be opened or is a folder; "-" is stdin.
  static Result<LineBlocks> open(const std::string& path,
                                 size_t most_line_bytes = size_t{16} << 20);
  LineBlocks(LineBlocks&& other) noexcept;
  LineBlocks& operator=(LineBlocks&& other) noexcept;
  LineBlocks(const LineBlocks&) = delete;
  LineBlocks& operator=(const LineBlocks&) = delete;
  ~LineBlocks();

  /// False at the end. `kSystem` when reading fails.
  Result<bool> next(LineBlock& block);

  /// Of the file; 0 if that is not known.
  int64_t size_bytes() const { return size_bytes_; }

 private:
  LineBlocks() = default;
  Result<size_t> read_some(std::string& bytes);
  Result<void> skip_line(LineBlock& block);

  std::string path_;
  int fd_ = -1;
  size_t most_line_bytes_ = 0;
  int64_t size_bytes_ = 0;
  std::string carried_;  ///< the begun line after the last block
  int64_t next_line_ = 1;
  bool is_at_end_ = false;
};

}  // namespace opbench
