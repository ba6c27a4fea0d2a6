#pragma once

#include <cstdio>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "base/errors/error.h"

namespace opbench {

/// A large output, written part by part: to a file that has its name only when it is whole, or to
/// a stream.
class StreamedOutput {
 public:
  /// `path` empty: `otherwise` is written to. A path that is no regular file is written into as it
  /// is. `kInvalidInput` if nothing can be written there.
  static Result<StreamedOutput> open(const std::string& path, std::ostream& otherwise);
  StreamedOutput(StreamedOutput&&) noexcept;
  StreamedOutput& operator=(StreamedOutput&&) noexcept;
  /// Removes what was not finished.
  ~StreamedOutput();

  /// `kSystem` when the place is full.
  Result<void> write(std::string_view part);
  /// Syncs it and gives it its name.
  Result<void> finish();

 private:
  StreamedOutput() = default;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  Error cannot_write() const;

  std::unique_ptr<std::FILE, Close> file_;
  std::ostream* stream_ = nullptr;
  std::string path_;
  std::string temporary_;  ///< empty when there is nothing to rename
};

}  // namespace opbench
