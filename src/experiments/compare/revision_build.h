#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "base/errors/error.h"

namespace opbench {

/// What `--base` and `--new` of a comparison name.
struct BuildChoice {
  std::filesystem::path path;      ///< an opbench, or the folder that holds it; else empty
  std::string revision;            ///< of git, as given; else empty
  std::string commit;              ///< its 40 hex digits
  std::filesystem::path checkout;  ///< top folder of the checkout that has it
  std::string note;                ///< which it is, where the name could mean both; else empty
};

/// A build by its path, or a git revision of the checkout that `here` lies in. What is both is the
/// path if there is a build, else the revision. `kInvalidInput` when it is neither.
Result<BuildChoice> choose_build(const std::string& text, const std::filesystem::path& here);

struct RevisionOptions {
  std::filesystem::path folder;  ///< for builds of all commits
  std::function<void(const std::string& step, double seconds)> progress;  ///< may be empty
  const std::atomic<bool>* cancel = nullptr;
};

/// The opbench of a commit: built once, in a worktree at `folder`/COMMIT, by that commit's own
/// `./dev setup` and `./dev build opbench`; afterwards it is found there. Programs that want the
/// same commit wait for each other. A build that does not succeed leaves its log alone
/// (`folder`/COMMIT.log). `kInvalidInput`: the commit has no `dev`; `kEnvironment`: it cannot be
/// set up or built, with the log's place and its last line; `kInterrupted`.
Result<std::filesystem::path> build_revision(const BuildChoice& choice,
                                             const RevisionOptions& options);

}  // namespace opbench
