#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "presentation/web/store/web_store.h"

namespace opbench {

/// What was written.
struct SiteExport {
  int64_t files = 0;
  int64_t bytes = 0;
  std::vector<std::string> left_out = {};  ///< sentences
};

inline constexpr size_t kMostSiteBytes = size_t{8} << 20;

/// Writes the pages as static files, which open from a file address without a network: the bundle,
/// and answers to the requests of its usual views in `data/`. The folder is made; in one that is
/// there only files of an earlier export are replaced. `kInvalidInput` for a folder with other
/// things in it. `most_bytes`: of all answers but the overview, without which no page opens.
Result<SiteExport> export_site(WebStore& store, const std::string& version,
                               const std::map<std::string, std::string>& bundle,
                               const std::filesystem::path& folder,
                               size_t most_bytes = kMostSiteBytes);

}  // namespace opbench
