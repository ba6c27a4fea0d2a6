#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/regress/commit_build.h"
#include "experiments/regress/suite.h"

/// Control for suites without an engine that nobody touches: the build of a segment's first night
/// is frozen, and measured every night beside tonight's.
namespace opbench {

/// `mine-frozen`: what an engine's frozen build is called.
std::string frozen_name(const std::string& engine);

/// The suite with a frozen control for each of its engines that `recipe` builds; as it is where it
/// has controls, wants none, or nothing is built.
Suite with_frozen_controls(const Suite& suite, const BuildRecipe& recipe);

struct FrozenControl {
  std::string commit;               ///< whose build it is
  std::vector<UserEngine> engines;  ///< under their frozen names
  std::string note;                 ///< that it begins, and why; empty: it goes on
};

/// The control of the segment of this method and surroundings, as `folder`/frozen.json keeps it.
/// Tonight's build where none was frozen yet, where a new segment begins, and where the frozen
/// build is lost. A mark beside the build keeps prune_builds() from it. Errors of writing.
Result<FrozenControl> frozen_control(const std::filesystem::path& folder, const BuildRecipe& recipe,
                                     const CommitBuild& tonight, const std::string& method,
                                     const std::string& surroundings);

/// Whether a suite still has this build as its control. Marks that say so no more are removed.
bool is_frozen_build(const std::filesystem::path& tree);

}  // namespace opbench
