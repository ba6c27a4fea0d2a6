#pragma once

#include <filesystem>

#include "base/files/file.h"

namespace opbench {

/// A kernel cache for the tests of this process that do not ask how a kernel came to be: some of
/// them need the same kernels.
inline const std::filesystem::path& shared_kernels() {
  static const TemporaryFolder kFolder = *TemporaryFolder::make();
  return kFolder.path();
}

}  // namespace opbench
