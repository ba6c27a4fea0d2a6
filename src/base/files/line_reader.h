#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors/error.h"

namespace opbench {

/// One line of a file. `text` is valid until the next one is read.
struct Line {
  std::string_view text;  ///< without its newline, but with a CR before it; empty if too long. The
                          ///< first one without the byte-order mark
  int64_t number = 0;     ///< 1 is the first
  bool is_torn = false;   ///< the last one, without a newline
  bool is_too_long = false;
};

/// Reads a file line by line in constant memory: a line beyond the limit is skipped, not held.
class LineReader {
 public:
  /// `kInvalidInput` if the file cannot be opened, or is a folder; "-" is stdin.
  static Result<LineReader> open(const std::string& path, size_t most_bytes = size_t{16} << 20);

  /// The next line, nothing at the end; `kSystem` when reading fails.
  Result<std::optional<Line>> next();

  /// Bytes of the lines that were given out so far, with their newlines.
  int64_t bytes() const { return bytes_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const;
  };
  Result<void> fill();

  std::unique_ptr<std::FILE, Close> file_;
  std::string path_;
  size_t most_bytes_ = 0;
  std::string buffer_;
  size_t begin_ = 0;  ///< of what is not yet given out
  size_t end_ = 0;
  int64_t number_ = 0;
  int64_t bytes_ = 0;
  bool is_at_end_ = false;
};

}  // namespace opbench
