#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/errors/error.h"
#include "base/files/file.h"

/// Folders that kernels are linked in and loaded from.
namespace opbench {

/// A folder of its own from which code can be loaded, in the first usable temporary place.
Result<TemporaryFolder> make_code_folder();

struct CacheChoice {
  std::filesystem::path folder;
  std::optional<TemporaryFolder> own = {};  ///< the folder, where the run has one of its own
  std::string warning = {};                 ///< why it has
};

/// The user's cache; a folder of the run's own where that cannot be written, or no code be loaded
/// from it. `kEnvironment` where there is no such folder either.
Result<CacheChoice> choose_cache();

}  // namespace opbench
