#include "watch_kills.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <sstream>
#include <thread>

extern char** environ;  // NOLINT

namespace opbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string text_of_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

pid_t start_shell(const std::string& command, const fs::path& output) {
  std::string words[] = {"sh", "-c", "exec " + command};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0644);
  ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid = -1;
  if (::posix_spawnp(&pid, "sh", &actions, nullptr, argv, environ) != 0) pid = -1;
  ::posix_spawn_file_actions_destroy(&actions);
  return pid;
}

/// Runs a command; kills it a random time after `kept` has grown by so many, or soon after its
/// start. Nothing when it was killed; else its exit code.
std::optional<int> run_or_kill(const std::string& command, const fs::path& output,
                               const std::function<int()>& kept, std::mt19937_64& random) {
  constexpr unsigned kMostSteps = 2, kLatestMs = 3000, kSoonMs = 1000;
  const pid_t pid = start_shell(command, output);
  if (pid < 0) return 127;
  const int wanted = kept() + static_cast<int>(random() % (kMostSteps + 1));
  const bool is_soon = wanted == kept();
  const std::chrono::milliseconds pause(random() % (is_soon ? kLatestMs : kSoonMs));
  Clock::time_point kill_at = Clock::time_point::max();
  int status = 0;
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    if (kill_at == Clock::time_point::max() && kept() >= wanted) kill_at = Clock::now() + pause;
    if (Clock::now() >= kill_at) ::kill(pid, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (WIFSIGNALED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

int run_shell(const std::string& command, const fs::path& output) {
  const pid_t pid = start_shell(command, output);
  int status = 0;
  if (pid < 0 || ::waitpid(pid, &status, 0) != pid) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// Nine commits of an engine, the sixth of which is 5 % slower than the fifth.
std::string repository_script(const WatchKillOptions& options) {
  return fmt::format(
      "git init -q -b main repo && cd repo && git config user.name a && git config user.email "
      "a@example.org && for i in 0 1 2 3 4 5 6 7 8; do ms=1; [ $i -ge 5 ] && ms=1.05; "
      "sed \"s/Number(process.argv\\[2\\])/$ms/\" '{}' > engine.mjs; echo \"// $i\" >> engine.mjs; "
      "chmod +x engine.mjs; git add -A; git commit -qm \"change $i\"; done; "
      "printf 'workloads = [\"relu 1x4\"]\\nengines = [\"mine\"]\\ncheck = \"none\"\\n' > "
      "../s.toml",
      options.engine);
}

class BisectKills {
 public:
  explicit BisectKills(const WatchKillOptions& options)
      : options_(options), random_(options.seed), state_(options.folder / "state.json") {}

  WatchKillResult run() {
    const fs::path output = options_.folder / "out";
    const std::string in_folder =
        fmt::format("sh -c 'cd \"$0\" && . ./make.sh' '{}'", options_.folder.string());
    std::ofstream(options_.folder / "make.sh") << repository_script(options_);
    if (run_shell(in_folder, output) != 0) {
      result_.failures.push_back(text_of_file(output));
      return result_;
    }
    const std::string command = fmt::format(
        "env XDG_CACHE_HOME='{0}/cache' OPBENCH_STORE=none OPBENCH_PROGRESS=never '{1}' bisect "
        "--suite '{0}/s.toml' --repo '{0}/repo' --good main~8 --bad main --build true "
        "--engine mine=engine.mjs --state '{0}/state.json' --format json",
        options_.folder.string(), options_.program);
    for (bool is_done = false; result_.kills < options_.kills && result_.failures.empty();) {
      if (is_done) begin_anew();
      const auto code = run_or_kill(
          command, output, [this] { return kept(); }, random_);
      is_done = code == 0;
      if (code && *code != 0) result_.failures.push_back(text_of_file(output));
      if (!code) ++result_.kills;
      check();
    }
    if (result_.failures.empty() && run_shell(command, output) != 0) {
      result_.failures.push_back(text_of_file(output));
    }
    check();
    result_.answer = text_of_file(output);
    result_.is_right = result_.answer.find("\"subject\": \"change 5\"") != std::string::npos &&
                       result_.answer.find("\"outcome\": \"found\"") != std::string::npos;
    return result_;
  }

 private:
  void begin_anew() {
    fs::remove(state_);
    known_.clear();
  }

  /// Pairs by commit, those of the last look behind them; none before the first step.
  std::vector<size_t> pairs() const {
    std::vector<size_t> counts;
    const auto json = nlohmann::json::parse(text_of_file(state_), nullptr, false);
    if (!json.is_object()) return counts;
    for (const auto& commit : json["state"]["commits"])
      counts.push_back(commit["log_ratios"].size());
    counts.push_back(json["state"]["direct"]["log_ratios"].size());
    return counts;
  }

  int kept() const {
    size_t sum = 0;
    for (const size_t count : pairs()) sum += count;
    constexpr size_t kPairsOfStep = 12;
    return static_cast<int>(sum / kPairsOfStep);
  }

  void check() {
    const std::vector<size_t> now = pairs();
    result_.steps += kept();
    for (size_t at = 0; at < known_.size(); ++at) {
      if (at >= now.size() || now[at] < known_[at]) ++result_.lost;
    }
    known_ = now;
  }

  const WatchKillOptions& options_;
  std::mt19937_64 random_;
  fs::path state_;
  std::vector<size_t> known_;
  WatchKillResult result_;
};

/// Nights of a suite on one store, one after the other.
class NightKills {
 public:
  explicit NightKills(const WatchKillOptions& options) : options_(options), random_(options.seed) {}

  WatchKillResult run() {
    const fs::path output = options_.folder / "out";
    std::ofstream(options_.folder / "make.sh")
        << repository_script(options_)
        << "; printf 'name = \"small\"\\nworkloads = [\"relu 1x4\", \"relu 1x8\", \"relu 1x16\"]"
           "\\nengines = [\"mine\"]\\nfreeze = false\\ncheck = \"none\"\\nbudget = 0.3\\n' > "
           "../s.toml";
    if (run_shell(fmt::format("sh -c 'cd \"$0\" && . ./make.sh' '{}'", options_.folder.string()),
                  output) != 0) {
      result_.failures.push_back(text_of_file(output));
      return result_;
    }
    int night = 0;
    while (result_.failures.empty()) {
      const auto code = run_or_kill(
          command_of(night), output, [this] { return parts(); }, random_);
      result_.kills += code ? 0 : 1;
      result_.steps = parts();
      // 6: the first night of a suite.
      if (code && *code != 0 && *code != 6) result_.failures.push_back(text_of_file(output));
      if (!code) continue;
      ++night;
      if (result_.kills >= options_.kills) break;
    }
    check(night);
    return result_;
  }

 private:
  std::string surroundings() const {
    return fmt::format(
        "env XDG_CACHE_HOME='{0}/cache' OPBENCH_STORE='{0}/store' OPBENCH_PROGRESS=never '{1}'",
        options_.folder.string(), options_.program);
  }

  std::string command_of(int night) const {
    return fmt::format(
        "{1} regress --suite '{0}/s.toml' --repo '{0}/repo' --build true "
        "--engine mine=engine.mjs --night d{2} -q",
        options_.folder.string(), surroundings(), night);
  }

  int parts() const {
    int count = 0;
    std::error_code error;
    fs::recursive_directory_iterator entry(options_.folder / "store", error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (entry->path().extension() == ".parquet" &&
          entry->path().parent_path().filename() != "_tmp") {
        ++count;
      }
    }
    return count;
  }

  /// Every night has each of its three workloads once.
  void check(int nights) {
    constexpr int kWorkloads = 3;
    const fs::path output = options_.folder / "counts";
    const std::string query =
        "SELECT count(*) AS points, count(DISTINCT map_extract(labels, 'watch_night')[1] || "
        "map_extract(labels, 'watch_subject')[1]) AS places FROM benchmarks";
    if (run_shell(fmt::format("{} records query \"{}\" --format csv", surroundings(), query),
                  output) != 0) {
      result_.failures.push_back(text_of_file(output));
      return;
    }
    int points = 0, places = 0;
    std::istringstream lines(text_of_file(output));
    std::string header;
    char comma = 0;
    std::getline(lines, header);
    lines >> points >> comma >> places;
    result_.lost = kWorkloads * nights - places;
    result_.doubled = points - places;
    result_.is_right = result_.lost == 0 && result_.doubled == 0;
    result_.answer = text_of_file(output);
  }

  const WatchKillOptions& options_;
  std::mt19937_64 random_;
  WatchKillResult result_;
};

}  // namespace

WatchKillResult run_night_kills(const WatchKillOptions& options) {
  return NightKills(options).run();
}

WatchKillResult run_bisect_kills(const WatchKillOptions& options) {
  return BisectKills(options).run();
}

}  // namespace opbench
