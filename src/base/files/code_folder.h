#pragma once

#include <filesystem>
#include <string>

#include "base/errors/error.h"
#include "base/files/file.h"

/// Folders that kernels are linked in and loaded from.
namespace opbench {

/// A folder of its own from which code can be loaded, in the first usable temporary place.
Result<TemporaryFolder> make_code_folder();

struct CacheChoice {
  std::filesystem::path folder;
  std::string warning = {};         ///< why it is the program's own; empty: it is the user's
  std::filesystem::path home = {};  ///< of the program's own: what XDG_CACHE_HOME is for it
};

/// The user's cache; one of the program's own, removed at its end, where that cannot be written or
/// no code be loaded from it. `kEnvironment` where there is no folder for that either.
Result<CacheChoice> choose_cache();

}  // namespace opbench
