#include "experiments/compare/revision_build.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "base/files/file.h"
#include "base/files/temporary_place.h"
#include "engines/client/logged_command.h"
#include "experiments/compare/git_output.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

constexpr size_t kShortCommit = 12;

std::string short_of(const std::string& commit) { return commit.substr(0, kShortCommit); }

std::string last_line_of(const fs::path& path) {
  const auto text = read_file(path);
  if (!text) return "";
  std::string_view rest = *text;
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) rest.remove_suffix(1);
  return std::string(rest.substr(rest.find_last_of('\n') + 1));
}

bool is_build(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) || fs::is_regular_file(path / "opbench", ignored);
}

std::string place_of(const fs::path& here) {
  std::error_code ignored;
  return fs::absolute(here, ignored).string();
}

/// The words that name a file or folder even where there is none.
bool looks_like_path(const std::string& text) {
  return text.starts_with('/') || text.starts_with("./") || text.starts_with("../") ||
         text == "." || text == "..";
}

Error neither(const std::string& text, const std::optional<std::string>& checkout,
              const fs::path& here) {
  if (!checkout) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("\"{}\" is no OpBench build, and there is no git checkout to build a "
                             "revision of that name from",
                             text)}
        .with("in", place_of(here))
        .with("valid",
              "the opbench of another checkout, the folder that holds it, or, in a "
              "checkout of OpBench, a branch, tag or commit");
  }
  return Error{ErrorCode::kInvalidInput,
               fmt::format("no OpBench build and no git revision \"{}\"", text)}
      .with("checkout", *checkout)
      .with("valid",
            "the opbench of another checkout, the folder that holds it, a branch, a tag, "
            "a commit, main~3");
}

/// A lock that other programs see, held as long as the object lives.
class Lock {
 public:
  explicit Lock(int fd) : fd_(fd) {}
  Lock(Lock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Lock& operator=(Lock&&) = delete;
  ~Lock() {
    if (fd_ >= 0) ::close(fd_);
  }

 private:
  int fd_;
};

/// One commit's build, in the order of its member functions.
class RevisionBuild {
 public:
  RevisionBuild(const BuildChoice& choice, const RevisionOptions& options)
      : choice_(choice),
        options_(options),
        folder_(options.folder / choice.commit),
        log_(options.folder / (choice.commit + ".log")),
        done_(options.folder / (choice.commit + ".done")) {}

  Result<fs::path> run() {
    OPBENCH_CHECK(make_writable_folder(options_.folder));
    OPBENCH_CHECK(check_code_folder(options_.folder));
    OPBENCH_TRY(const Lock lock, wait_for_lock());
    if (is_done()) return folder_ / "opbench";
    drop();
    const Result<void> made = make();
    if (!made) {
      drop();
      return made.error();
    }
    OPBENCH_CHECK(write_file(done_, choice_.commit + "\n"));
    return folder_ / "opbench";
  }

 private:
  bool is_done() const {
    std::error_code ignored;
    return fs::exists(done_, ignored) && is_build(folder_);
  }

  Result<Lock> wait_for_lock() {
    const fs::path path = options_.folder / (choice_.commit + ".lock");
    // A build that outlives a killed program keeps the lock: it is handed down.
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
    if (fd < 0) {
      return Error{ErrorCode::kSystem, fmt::format("cannot write \"{}\"", path.string())};
    }
    Lock lock(fd);
    while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      if (is_cancelled()) {
        return Error{ErrorCode::kInterrupted, "interrupted while another program was building"};
      }
      tell("waits for another program that builds");
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return lock;
  }

  bool is_cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

  void tell(const std::string& step) const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    if (options_.progress) options_.progress(step, spent.count());
  }

  /// Whatever an earlier build left.
  void drop() {
    std::error_code ignored;
    fs::remove(done_, ignored);
    fs::remove_all(folder_, ignored);
    static_cast<void>(git_output(choice_.checkout, {"worktree", "prune"}));
  }

  Result<void> make() {
    std::error_code ignored;
    fs::remove(log_, ignored);
    OPBENCH_CHECK(
        step("checks out", choice_.checkout,
             {"git", "worktree", "add", "--detach", "--force", folder_.string(), choice_.commit}));
    if (!fs::is_regular_file(folder_ / "dev", ignored)) {
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format("revision \"{}\" is none of OpBench: it has no \"dev\" to build with",
                      choice_.revision)}
          .with("checkout", choice_.checkout.string());
    }
    share_packages();
    OPBENCH_CHECK(step("sets up", folder_, {"./dev", "setup"}));
    OPBENCH_CHECK(step("builds", folder_, {"./dev", "build", "opbench"}));
    if (is_build(folder_)) return {};
    return failure("its \"dev build opbench\" made no opbench");
  }

  /// Nothing is downloaded twice: packages of the checkout are copied where they are the same.
  void share_packages() {
    const auto ours = read_file(choice_.checkout / "package-lock.json");
    const auto theirs = read_file(folder_ / "package-lock.json");
    std::error_code ignored;
    const fs::path packages = choice_.checkout / "node_modules";
    if (!ours || !theirs || *ours != *theirs || !fs::is_directory(packages, ignored)) return;
    fs::copy(packages, folder_ / "node_modules",
             fs::copy_options::recursive | fs::copy_options::copy_symlinks, ignored);
    if (ignored) fs::remove_all(folder_ / "node_modules", ignored);
  }

  Result<void> step(const std::string& name, const fs::path& folder,
                    std::vector<std::string> words) {
    const std::string command = fmt::format("{}", fmt::join(words, " "));
    // Hooks of git name their own checkout in variables.
    words.insert(words.begin(),
                 {"env", "-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "-u", "GIT_INDEX_FILE"});
    tell(name);
    OPBENCH_TRY(const int code, run_logged({.argv = std::move(words),
                                            .folder = folder,
                                            .output = log_,
                                            .wait = [&] { tell(name); },
                                            .cancel = options_.cancel}));
    if (code == 0) return {};
    return failure(fmt::format("\"{}\" ended with exit code {}", command, code));
  }

  Error failure(const std::string& reason) const {
    Error error{ErrorCode::kEnvironment, fmt::format("revision \"{}\" ({}) could not be built",
                                                     choice_.revision, short_of(choice_.commit))};
    error.facts.push_back({"reason", reason});
    const std::string last = last_line_of(log_);
    if (!last.empty()) error.facts.push_back({"its last line", last});
    error.facts.push_back({"log", log_.string()});
    return error;
  }

  const BuildChoice& choice_;
  const RevisionOptions& options_;
  const fs::path folder_, log_, done_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<BuildChoice> choose_build(const std::string& text, const fs::path& here) {
  BuildChoice choice{.path = text};
  if (looks_like_path(text)) return choice;
  const std::optional<std::string> checkout = git_output(here, {"rev-parse", "--show-toplevel"});
  std::optional<std::string> commit;
  if (checkout) {
    commit = git_output(
        here, {"rev-parse", "--verify", "--quiet", "--end-of-options", text + "^{commit}"});
  }
  std::error_code ignored;
  const bool exists = fs::exists(text, ignored);
  if (!commit && exists) return choice;
  if (!commit) return neither(text, checkout, here);
  if (is_build(text)) {
    choice.note = fmt::format(
        "\"{}\" is a build and a git revision; the build is taken, \"{}^0\" is "
        "the revision",
        text, text);
    return choice;
  }
  choice = {.revision = text, .commit = *commit, .checkout = *checkout};
  if (exists) {
    choice.note = fmt::format(
        "\"{}\" is a git revision and a folder without a build; the revision "
        "is taken",
        text);
  }
  return choice;
}

Result<fs::path> build_revision(const BuildChoice& choice, const RevisionOptions& options) {
  return RevisionBuild(choice, options).run();
}

}  // namespace opbench
