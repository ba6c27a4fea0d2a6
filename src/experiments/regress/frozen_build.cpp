#include "experiments/regress/frozen_build.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/files/file.h"
#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "experiments/regress/git_commits.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFrozenSchema = "opbench.frozen/1";
constexpr const char* kFrozenMark = ".frozen-";

/// What a suite keeps of its control; an empty object where there is none.
Json read_frozen(const fs::path& file) {
  const auto text = read_file(file);
  auto json = text ? parse_json(*text, "the control of a suite") : Json::object();
  return json && json->is_object() ? std::move(*json) : Json::object();
}

std::string word_in(const Json& frozen, const char* name) {
  const Json word = frozen.value(name, Json());
  return word.is_string() ? word.get<std::string>() : "";
}

/// Beside the build: which suite has it as its control.
Result<void> mark_frozen(const fs::path& tree, const fs::path& file) {
  const fs::path place = fs::absolute(file);
  constexpr size_t kMarkDigits = 16;
  return write_file(tree.string() + kFrozenMark + sha256(place.string()).substr(0, kMarkDigits),
                    place.string() + "\n");
}

FrozenControl control_of(const CommitBuild& build) {
  FrozenControl control{.commit = build.commit};
  for (UserEngine engine : build.engines) {
    engine.name = frozen_name(engine.name);
    control.engines.push_back(std::move(engine));
  }
  return control;
}

}  // namespace

std::string frozen_name(const std::string& engine) { return engine + "-frozen"; }

Suite with_frozen_controls(const Suite& suite, const BuildRecipe& recipe) {
  Suite with = suite;
  if (!suite.controls.empty() || !suite.freezes) return with;
  for (const BuiltEngine& engine : recipe.engines) {
    if (std::ranges::find(suite.engines, engine.name) == suite.engines.end()) continue;
    with.engines.push_back(frozen_name(engine.name));
    with.controls.push_back(frozen_name(engine.name));
  }
  return with;
}

Result<FrozenControl> frozen_control(const fs::path& folder, const BuildRecipe& recipe,
                                     const CommitBuild& tonight, const std::string& method,
                                     const std::string& surroundings) {
  const fs::path file = folder / "frozen.json";
  const Json known = read_frozen(file);
  const std::string commit = word_in(known, "commit");
  const bool is_of_segment =
      word_in(known, "method") == method && word_in(known, "surroundings") == surroundings;
  std::string why = "a new method or environment begins";
  if (commit.empty()) why = "no engine of the suite is left alone";
  if (!commit.empty() && is_of_segment) {
    if (const auto build = finished_build(recipe, commit)) {
      OPBENCH_CHECK(mark_frozen(build_tree(recipe, commit), file));
      return control_of(*build);
    }
    why = fmt::format("the frozen build of {} is lost", short_commit(commit));
  }
  const Json begun = {{"schema", kFrozenSchema},
                      {"commit", tonight.commit},
                      {"method", method},
                      {"surroundings", surroundings}};
  OPBENCH_CHECK(write_file(file, json_text(begun) + "\n"));
  OPBENCH_CHECK(mark_frozen(build_tree(recipe, tonight.commit), file));
  FrozenControl control = control_of(tonight);
  control.note = fmt::format("the build of {} is the control from now on: {}",
                             short_commit(control.commit), why);
  return control;
}

bool is_frozen_build(const fs::path& tree) {
  const std::string prefix = tree.filename().string() + kFrozenMark;
  bool is_frozen = false;
  std::error_code error;
  fs::directory_iterator entry(tree.parent_path(), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(prefix)) continue;
    std::string file = read_file(entry->path()).value_or("");
    if (file.ends_with('\n')) file.pop_back();
    if (word_in(read_frozen(file), "commit") == tree.filename().string()) {
      is_frozen = true;
    } else {
      std::error_code ignored;
      fs::remove(entry->path(), ignored);
    }
  }
  return is_frozen;
}

}  // namespace opbench
