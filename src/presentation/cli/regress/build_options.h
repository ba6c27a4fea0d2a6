#pragma once

#include <vector>

#include "base/errors/error.h"
#include "experiments/regress/commit_build.h"
#include "experiments/regress/suite.h"
#include "presentation/cli/command.h"

namespace opbench {

/// --suite
OptionDef suite_option();

/// --repo, --build, --engine: whose commits are built, and how.
std::vector<OptionDef> commit_build_options();

/// What they say; without --build OpBench's own builds, and then without a checkout where this
/// folder lies in none. `kInvalidInput`: a --repo that lies in no checkout, engines without --build
/// or the other way round, two engines of one name.
Result<BuildRecipe> build_recipe_of(const Invocation& invocation);

/// The suite that --suite names; engines of the recipe and of opbench.toml are known in it.
Result<Suite> suite_of(const Invocation& invocation, const BuildRecipe& recipe);

}  // namespace opbench
