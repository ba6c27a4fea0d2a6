#include "tune_kills.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <thread>

extern char** environ;  // NOLINT

namespace opbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kWorkload = "conv2d 1x64x14x14 w:64x64x3x3 pads=1,1,1,1";
constexpr int kTrials = 500;  // of one log; then the next begins

std::string read_all(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Those that end with a newline.
std::vector<std::string> whole_lines(const fs::path& path) {
  const std::string text = read_all(path);
  std::vector<std::string> lines;
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

class TuneKills {
 public:
  explicit TuneKills(const TuneKillOptions& options) : options_(options), random_(options.seed) {}

  TuneKillResult run() {
    int log = 0;
    while (result_.kills < options_.kills && result_.failures.empty()) {
      const fs::path path = options_.folder / fmt::format("{}.log", log);
      const bool is_done = search(path);
      check(path);
      if (!is_done) continue;
      ++log;
      known_.clear();
    }
    return result_;
  }

 private:
  /// True when it came to its end. One in four is killed as it starts or builds, the others some
  /// time after a few more lines, however long the machine takes for them.
  bool search(const fs::path& log) {
    constexpr unsigned kMostLines = 3, kLatestMs = 1500, kSoonMs = 200;
    const pid_t pid = start(log);
    if (pid < 0) return true;
    const size_t more = random_() % (kMostLines + 1);
    const std::chrono::milliseconds pause(random_() % (more == 0 ? kLatestMs : kSoonMs));
    Clock::time_point kill_at = Clock::time_point::max();
    int status = 0;
    while (::waitpid(pid, &status, WNOHANG) == 0) {
      const bool is_armed = kill_at != Clock::time_point::max();
      if (!is_armed && whole_lines(log).size() >= known_.size() + more) {
        kill_at = Clock::now() + pause;
      }
      if (Clock::now() >= kill_at) ::kill(pid, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
      ++result_.kills;
      return false;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      result_.failures.push_back(
          fmt::format("status {}: {}", status, read_all(options_.folder / "err")));
    }
    return true;
  }

  pid_t start(const fs::path& log) {
    std::vector<std::string> words = {
        options_.program,        "tune",  kWorkload,    "--tuner",   "random", "--trials",
        std::to_string(kTrials), "--log", log.string(), "--continue"};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int kMode = 0644, kFlags = O_WRONLY | O_CREAT | O_TRUNC;
    for (const int stream : {1, 2}) {
      posix_spawn_file_actions_addopen(&actions, stream,
                                       (options_.folder / (stream == 1 ? "out" : "err")).c_str(),
                                       kFlags, kMode);
    }
    pid_t pid = -1;
    if (::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ) != 0) {
      result_.failures.push_back("cannot start " + words[0]);
      pid = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    return pid;
  }

  /// What was in the log before is its begin, and no config is there twice.
  void check(const fs::path& log) {
    std::vector<std::string> lines = whole_lines(log);
    std::set<int64_t> configs;
    for (const std::string& line : lines) {
      const auto json = nlohmann::json::parse(line, nullptr, false);
      if (json.is_discarded() || !json.contains("config")) {
        ++result_.unreadable;
      } else if (!configs.insert(json["config"]["index"].get<int64_t>()).second) {
        ++result_.doubled;
      }
    }
    for (size_t i = 0; i < known_.size(); ++i) {
      result_.lost += i < lines.size() && lines[i] == known_[i] ? 0 : 1;
    }
    result_.trials += static_cast<int64_t>(lines.size()) - static_cast<int64_t>(known_.size());
    known_ = std::move(lines);
  }

  TuneKillOptions options_;
  std::mt19937_64 random_;
  std::vector<std::string> known_;
  TuneKillResult result_;
};

}  // namespace

TuneKillResult run_tune_kills(const TuneKillOptions& options) { return TuneKills(options).run(); }

}  // namespace opbench
