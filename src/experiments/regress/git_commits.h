#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

struct GitCommit {
  std::string id;       ///< 40 hex digits
  std::string subject;  ///< the first line of its message
  bool is_code = true;  ///< false: it touches files of documents alone (.md, .rst, docs/)
  bool operator==(const GitCommit&) const = default;
};

/// The top folder of the checkout that holds `folder`. `kInvalidInput` where that is none.
Result<std::filesystem::path> checkout_of(const std::filesystem::path& folder);

/// The id of a branch, tag or commit. `kInvalidInput` with a guess for one that is not there.
Result<std::string> commit_of(const std::filesystem::path& checkout, const std::string& revision);

/// The commits from `good` to `bad` along first parents, both included, oldest first. Ids as
/// commit_of() gives them. `kInvalidInput` when `bad` does not follow upon `good`.
Result<std::vector<GitCommit>> commits_from(const std::filesystem::path& checkout,
                                            const std::string& good, const std::string& bad);

/// The last 5000 commits up to this one along first parents, oldest first; none where git does not
/// know it.
std::vector<GitCommit> commits_along(const std::filesystem::path& checkout,
                                     const std::string& commit);

/// `1a2b3c4d5e6f`
std::string short_commit(const std::string& id);

}  // namespace opbench
