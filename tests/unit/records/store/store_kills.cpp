#include "store_kills.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

extern char** environ;  // NOLINT

namespace opbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

enum class Role { kWriter, kCompactor, kReader };

constexpr const char* kStoreKillsLine =
    R"({{"input": ["llvm -keys=cpu", "dense_pack.x86", [["TENSOR", [{}, 768], "float32"]], {{}}], )"
    R"("config": {{"index": {}, "code_hash": null, "entity": [["tile_y", "sp", [-1, 4]]]}}, )"
    R"("result": [[0.000{}], 0, 0.5, {}.5], "version": 0.2, "tvm_version": "{}"}})";
constexpr const char* kQuery =
    "SELECT tvm_version, count(*), count(DISTINCT id) FROM trials GROUP BY ALL";

/// One of the programs; started anew as soon as it ends.
struct Slot {
  Role role;
  int number;
  pid_t pid = -1;
  Clock::time_point kill_at = Clock::time_point::max();
  bool was_killed = false;
  std::string batch;  ///< of a writer: what it adds until it is acknowledged
  int batches = 0;
  std::set<std::string> known;  ///< of a reader: acknowledged when it started
};

std::string read_all(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class KillTrial {
 public:
  explicit KillTrial(const KillTrialOptions& options) : options_(options), random_(options.seed) {}

  KillTrialResult run() {
    std::vector<Slot> slots;
    for (int i = 0; i < options_.writers; ++i) slots.push_back({Role::kWriter, i});
    for (int i = 0; i < options_.compactors; ++i) slots.push_back({Role::kCompactor, i});
    for (int i = 0; i < options_.readers; ++i) slots.push_back({Role::kReader, i});
    fs::create_directories(options_.folder / "store");
    while (result_.kills < options_.kills) {
      for (Slot& slot : slots) {
        if (slot.pid < 0) start(slot);
        watch(slot);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (Slot& slot : slots) {
      slot.kill_at = Clock::time_point::max();
      while (slot.pid >= 0) watch(slot);
    }
    check_end();
    return result_;
  }

 private:
  fs::path file_of(const Slot& slot, const char* ending) const {
    constexpr const char* kNames[] = {"writer", "compactor", "reader"};
    return options_.folder /
           fmt::format("{}{}.{}", kNames[static_cast<int>(slot.role)], slot.number, ending);
  }

  /// Name and size of a batch, which every row of it carries.
  void make_batch(Slot& slot) {
    const int rows = 1 + static_cast<int>(random_() % 60);
    slot.batch = fmt::format("w{}.b{}.n{}", slot.number, slot.batches++, rows);
    std::ofstream log(file_of(slot, "log"));
    for (int i = 0; i < rows; ++i) {
      log << fmt::format(kStoreKillsLine, slot.number + 1, i, 1 + random_() % 9, slot.batches,
                         slot.batch)
          << "\n";
    }
  }

  void start(Slot& slot) {
    std::vector<std::string> words = {options_.program, "records"};
    const std::string store = (options_.folder / "store").string();
    if (slot.role == Role::kWriter) {
      if (slot.batch.empty()) make_batch(slot);
      words.insert(words.end(), {"import", "--store", store, file_of(slot, "log").string()});
    } else if (slot.role == Role::kCompactor) {
      words.insert(words.end(), {"compact", "--store", store});
    } else {
      words.insert(words.end(), {"query", "--store", store, kQuery, "--format", "json"});
      slot.known = acknowledged_;
    }
    spawn(slot, words);
    constexpr unsigned kKilled = 70, kLatestMs = 250;  // of a hundred
    slot.was_killed = false;
    slot.kill_at = random_() % 100 < kKilled
                       ? Clock::now() + std::chrono::milliseconds(random_() % kLatestMs)
                       : Clock::time_point::max();
  }

  void spawn(Slot& slot, const std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int kMode = 0644, kFlags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file_of(slot, "out").c_str(), kFlags,
                                     kMode);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, file_of(slot, "err").c_str(), kFlags,
                                     kMode);
    if (::posix_spawn(&slot.pid, argv[0], &actions, nullptr, argv.data(), environ) != 0) {
      slot.pid = -1;
      result_.failures.push_back("cannot start " + words[0]);
      result_.kills = options_.kills;
    }
    posix_spawn_file_actions_destroy(&actions);
  }

  void watch(Slot& slot) {
    if (slot.pid < 0) return;
    if (Clock::now() >= slot.kill_at) {
      slot.kill_at = Clock::time_point::max();
      slot.was_killed = ::kill(slot.pid, SIGKILL) == 0;
    }
    int status = 0;
    if (::waitpid(slot.pid, &status, WNOHANG) != slot.pid) return;
    slot.pid = -1;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && slot.was_killed) {
      ++result_.kills;
      ++(slot.role == Role::kWriter      ? result_.killed_writers
         : slot.role == Role::kCompactor ? result_.killed_compactors
                                         : result_.killed_readers);
      return;
    }
    constexpr int kBusy = 7;  // another program compacts
    const bool is_done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    const bool is_busy =
        slot.role == Role::kCompactor && WIFEXITED(status) && WEXITSTATUS(status) == kBusy;
    if (is_done) {
      take_result(slot);
    } else if (!is_busy) {
      result_.failures.push_back(
          fmt::format("status {}: {}", status, read_all(file_of(slot, "err"))));
    }
  }

  void take_result(Slot& slot) {
    if (slot.role == Role::kWriter) {
      acknowledged_.insert(slot.batch);
      slot.batch.clear();
      ++result_.acknowledged;
    } else if (slot.role == Role::kCompactor) {
      ++result_.compactions;
    } else {
      ++result_.reads;
      const KillTrialResult before = result_;
      check_rows(read_all(file_of(slot, "out")), slot.known);
      const bool is_wrong = result_.lost != before.lost || result_.doubled != before.doubled ||
                            result_.partial != before.partial;
      result_.wrong_reads += is_wrong ? 1 : 0;
    }
  }

  void check_rows(const std::string& answer, const std::set<std::string>& expected) {
    const Json json = Json::parse(answer, nullptr, false);
    if (json.is_discarded()) {
      ++result_.wrong_reads;
      return;
    }
    std::set<std::string> seen;
    for (const Json& row : json["rows"]) {
      const auto batch = row[0].get<std::string>();
      const int64_t rows = std::stoll(batch.substr(batch.find(".n") + 2));
      seen.insert(batch);
      result_.doubled += row[1] > rows || row[1] != row[2] ? 1 : 0;
      result_.partial += row[2] < rows ? 1 : 0;
    }
    for (const std::string& batch : expected) result_.lost += seen.contains(batch) ? 0 : 1;
  }

  void check_end() {
    Slot last{Role::kReader, 99};
    last.known = acknowledged_;
    spawn(last, {options_.program, "records", "query", "--store",
                 (options_.folder / "store").string(), kQuery, "--format", "json"});
    while (last.pid >= 0) watch(last);
  }

  KillTrialOptions options_;
  std::mt19937_64 random_;
  std::set<std::string> acknowledged_;
  KillTrialResult result_;
};

}  // namespace

KillTrialResult run_kill_trial(const KillTrialOptions& options) { return KillTrial(options).run(); }

}  // namespace opbench
