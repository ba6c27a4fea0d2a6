#pragma once

#include <string>

#include "base/files/file.h"

namespace opbench {

/// A file with this text in a folder of its own, gone with the object.
class WrittenFile {
 public:
  explicit WrittenFile(const std::string& text, const std::string& name = "sweep.txt")
      : folder_(TemporaryFolder::make().value()), path_((folder_.path() / name).string()) {
    if (!write_file(path_, text)) path_.clear();
  }
  const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace opbench
