#include "experiments/regress/commit_build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "base/files/file.h"
#include "base/files/temporary_place.h"
#include "base/numbers/hash.h"
#include "engines/catalog/engine_command.h"
#include "engines/client/logged_command.h"
#include "experiments/compare/git_output.h"
#include "experiments/compare/revision_build.h"
#include "experiments/regress/git_commits.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

std::string last_line_of_log(const fs::path& log) {
  std::string text = read_file(log).value_or("");
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text.substr(text.find_last_of('\n') + 1);
}

/// One commit of somebody else's repository, in the order of the member functions.
class WorktreeBuild {
 public:
  WorktreeBuild(const BuildRecipe& recipe, const std::string& commit)
      : recipe_(recipe),
        commit_(commit),
        tree_(build_tree(recipe, commit)),
        place_(tree_.parent_path()),
        log_(place_ / (commit + ".log")),
        done_(place_ / (commit + ".done")) {}

  Result<CommitBuild> run() {
    OPBENCH_CHECK(make_writable_folder(place_));
    OPBENCH_CHECK(check_code_folder(place_));
    OPBENCH_TRY(FolderLock lock, FolderLock::take(place_, commit_ + ".lock", false));
    if (!lock.is_held()) {
      tell("waits for another program that builds");
      OPBENCH_TRY(lock, FolderLock::take(place_, commit_ + ".lock"));
    }
    if (!is_finished()) {
      drop();
      const Result<void> made = make();
      if (!made) {
        drop();
        return made.error();
      }
      OPBENCH_CHECK(write_file(done_, commit_ + "\n"));
    }
    return build();
  }

  bool is_finished() const {
    std::error_code ignored;
    return fs::exists(done_, ignored) && missing().empty();
  }

  CommitBuild build() const {
    CommitBuild build{.commit = commit_};
    for (const BuiltEngine& engine : recipe_.engines) {
      build.engines.push_back({engine.name, {(tree_ / engine.place).string()}, {}});
    }
    return build;
  }

 private:
  void tell(const std::string& step) const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    if (recipe_.progress) recipe_.progress(step, spent.count());
  }

  void drop() const {
    std::error_code ignored;
    fs::remove(done_, ignored);
    fs::remove_all(tree_, ignored);
    static_cast<void>(git_output(recipe_.checkout, {"worktree", "prune"}));
  }

  /// The first engine that is not there as a program.
  std::string missing() const {
    for (const BuiltEngine& engine : recipe_.engines) {
      if (::access((tree_ / engine.place).c_str(), X_OK) != 0) return engine.place.string();
    }
    return "";
  }

  Result<void> make() const {
    std::error_code ignored;
    fs::remove(log_, ignored);
    OPBENCH_CHECK(step("checks out", recipe_.checkout, "git worktree add",
                       {"git", "worktree", "add", "--detach", "--force", tree_.string(), commit_}));
    OPBENCH_CHECK(step("builds", tree_, recipe_.command, {"sh", "-c", recipe_.command}));
    const std::string lacks = missing();
    if (lacks.empty()) return {};
    return failure(fmt::format("\"{}\" made no program \"{}\"", recipe_.command, lacks));
  }

  Result<void> step(const std::string& name, const fs::path& folder, const std::string& command,
                    std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {"env", "-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "-u", "GIT_INDEX_FILE"});
    tell(name);
    OPBENCH_TRY(const int code, run_logged({.argv = std::move(words),
                                            .folder = folder,
                                            .output = log_,
                                            .wait = [&] { tell(name); },
                                            .cancel = recipe_.cancel}));
    if (code == 0) return {};
    return failure(fmt::format("\"{}\" ended with exit code {}", command, code));
  }

  Error failure(const std::string& reason) const {
    Error error{ErrorCode::kEnvironment,
                fmt::format("commit {} could not be built", short_commit(commit_))};
    error.facts.push_back({"reason", reason});
    const std::string last = last_line_of_log(log_);
    if (!last.empty()) error.facts.push_back({"its last line", last});
    error.facts.push_back({"log", log_.string()});
    return error;
  }

  const BuildRecipe& recipe_;
  const std::string& commit_;
  const fs::path tree_, place_, log_, done_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

fs::path build_tree(const BuildRecipe& recipe, const std::string& commit) {
  constexpr size_t kPlaceDigits = 16;
  const std::string place = sha256(recipe.checkout.string() + "\n" + recipe.command);
  return recipe.folder / place.substr(0, kPlaceDigits) / commit;
}

std::optional<CommitBuild> finished_build(const BuildRecipe& recipe, const std::string& commit) {
  const WorktreeBuild build(recipe, commit);
  return build.is_finished() ? std::optional(build.build()) : std::nullopt;
}

Result<BuiltEngine> parse_built_engine(std::string_view text) {
  const size_t equals = text.find('=');
  BuiltEngine engine{.name = std::string(text.substr(0, equals))};
  if (equals != std::string_view::npos) engine.place = text.substr(equals + 1);
  if (engine.name.empty() || engine.place.empty() || engine.place.is_absolute()) {
    return invalid_input(fmt::format("--engine takes NAME=PATH, not \"{}\"", text))
        .with("for instance", "mine=build/mine, a program in the checkout that --build makes");
  }
  OPBENCH_CHECK(engine_of_command(engine.name, {engine.place.string()}));
  return engine;
}

Result<CommitBuild> build_commit(const BuildRecipe& recipe, const std::string& commit) {
  if (!recipe.is_own()) return WorktreeBuild(recipe, commit).run();
  const BuildChoice choice{
      .revision = short_commit(commit), .commit = commit, .checkout = recipe.checkout};
  const RevisionOptions options{
      .folder = recipe.folder, .progress = recipe.progress, .cancel = recipe.cancel};
  OPBENCH_TRY(fs::path opbench, build_revision(choice, options));
  return CommitBuild{.commit = commit, .opbench = std::move(opbench)};
}

}  // namespace opbench
