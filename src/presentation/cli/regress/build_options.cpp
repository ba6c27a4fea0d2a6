#include "presentation/cli/regress/build_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/file.h"
#include "experiments/regress/git_commits.h"

namespace opbench {

OptionDef suite_option() {
  return {.name = "--suite",
          .value_name = "FILE",
          .help = "what is measured: models, workloads, engines, threads, in TOML",
          .file = FileUse::kRead};
}

std::vector<OptionDef> commit_build_options() {
  return {{.name = "--repo",
           .value_name = "DIR",
           .help = "the git checkout whose commits are built",
           .otherwise = "."},
          {.name = "--build",
           .value_name = "COMMAND",
           .help = "what builds a commit, for a shell in its checkout; default: OpBench's own"},
          {.name = "--engine",
           .value_name = "NAME=PATH",
           .help = "an engine that --build makes, and its program in the checkout",
           .kind = OptionKind::kRepeated,
           .is_settable = false}};
}

Result<BuildRecipe> build_recipe_of(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  BuildRecipe recipe{.command = arguments.value("--build"), .folder = cache_folder() / "builds"};
  for (const std::string& text : arguments.values("--engine")) {
    OPBENCH_TRY(BuiltEngine engine, parse_built_engine(text));
    if (std::ranges::find(recipe.engines, engine.name, &BuiltEngine::name) !=
        recipe.engines.end()) {
      return invalid_input(fmt::format("--engine names \"{}\" twice", engine.name));
    }
    recipe.engines.push_back(std::move(engine));
  }
  if (recipe.command.empty() != recipe.engines.empty()) {
    return invalid_input(recipe.command.empty() ? "--engine needs --build"
                                                : "--build needs --engine")
        .with("for instance", "--build 'ninja -C build' --engine mine=build/mine");
  }
  auto checkout = checkout_of(arguments.value("--repo"));
  if (checkout) {
    recipe.checkout = std::move(*checkout);
  } else if (!recipe.is_own() || arguments.has("--repo")) {
    return checkout.error();
  }
  return recipe;
}

Result<Suite> suite_of(const Invocation& invocation, const BuildRecipe& recipe) {
  const std::string file = invocation.arguments.value("--suite");
  if (file.empty()) {
    return invalid_input("no suite")
        .with("give", "--suite FILE")
        .with("for instance", "models = [\"resnet-18\"], see docs/how-to/bisect.md");
  }
  std::vector<std::string> engines;
  for (const BuiltEngine& engine : recipe.engines) engines.push_back(engine.name);
  for (const UserEngine& engine : invocation.settings.engines) {
    if (!engine.command.empty()) engines.push_back(engine.name);
  }
  return read_suite(file, engines);
}

}  // namespace opbench
