#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/request/run_hooks.h"

namespace opbench {

/// An engine that a build makes: `mine=build/mine`.
struct BuiltEngine {
  std::string name;
  std::filesystem::path place;  ///< in the checkout
  bool operator==(const BuiltEngine&) const = default;
};

/// `kInvalidInput` for what is not NAME=PATH, a built-in engine's name, an absolute path.
Result<BuiltEngine> parse_built_engine(std::string_view text);

/// How builds of commits come to be.
struct BuildRecipe {
  std::filesystem::path checkout;    ///< top folder
  std::string command;               ///< for a shell; empty: OpBench's own build
  std::vector<BuiltEngine> engines;  ///< that the command makes
  std::filesystem::path folder;      ///< for builds of all commits
  std::function<void(const std::string& step, double seconds)> progress;  ///< may be empty
  const std::atomic<bool>* cancel = nullptr;

  bool is_own() const { return command.empty(); }
};

/// A build of a commit.
struct CommitBuild {
  std::string commit;
  std::filesystem::path opbench;    ///< of OpBench's own; empty: this program
  std::vector<UserEngine> engines;  ///< else those of the recipe, by the names that users give
};

/// Builds a commit in a worktree of its own, once; afterwards it is found in the recipe's folder.
/// Programs that want the same build wait for each other. A build that does not succeed leaves its
/// log alone. `kEnvironment` with the log's place and its last line: the commit cannot be built, or
/// lacks an engine afterwards; `kInvalidInput`: it has nothing to build with; `kInterrupted`.
Result<CommitBuild> build_commit(const BuildRecipe& recipe, const std::string& commit);

/// The build of a commit by the recipe's command, if it is there already.
std::optional<CommitBuild> finished_build(const BuildRecipe& recipe, const std::string& commit);

/// Where it lies.
std::filesystem::path build_tree(const BuildRecipe& recipe, const std::string& commit);

}  // namespace opbench
