#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "made_root.h"
#include "test_form.h"

extern char** environ;  // NOLINT

namespace opbench {
namespace {

constexpr std::chrono::milliseconds kTick(5);
constexpr int kMostTicks = 4000;

/// In a group of its own, which holds its keeper and its engines too.
pid_t start_program(const std::string& command) {
  std::string words[] = {"sh", "-c", "exec " + command + " > /dev/null 2>&1"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  if (::posix_spawnp(&pid, "sh", nullptr, &attributes, argv, environ) != 0) pid = -1;
  ::posix_spawnattr_destroy(&attributes);
  return pid;
}

/// True if it was still running then.
bool kill_after(pid_t pid, std::chrono::milliseconds pause, bool with_all) {
  const auto end = std::chrono::steady_clock::now() + pause;
  while (std::chrono::steady_clock::now() < end) {
    if (::waitpid(pid, nullptr, WNOHANG) == pid) return false;
    std::this_thread::sleep_for(kTick);
  }
  ::kill(with_all ? -pid : pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return true;
}

class SettingKills : public testing::Test {
 protected:
  std::string opbench(const std::string& words) const {
    return fmt::format(
        "env OPBENCH_SETTINGS_ROOT='{0}' XDG_CACHE_HOME='{0}/cache' OPBENCH_STORE=none "
        "OPBENCH_PROGRESS=never '{1}/opbench' {2}",
        root_.path().string(), OPBENCH_BINARY_DIR, words);
  }

  std::string sweep() const {
    return opbench(
        "sweep 'relu 1x64' --over cpu.governor=performance,powersave --over "
        "memory.huge_pages=always,never --over cpu.mhz=1000 --over cpu.quota=80,90 --over "
        "cpu.cache_ways=3 --budget 0.05 --check none");
  }

  void run(const std::string& command) const {
    int status = 1;
    ::waitpid(start_program(command), &status, 0);
    EXPECT_EQ(status, 0) << command;
  }

  /// False if the program sets nothing for long.
  bool waits_for_change() const {
    int ticks = 0;
    while (root_.all() == before_ && ++ticks < kMostTicks) std::this_thread::sleep_for(kTick);
    return ticks < kMostTicks;
  }

  const MadeRoot root_;
  const std::map<std::string, std::string> before_ = root_.all();
};

TEST_F(SettingKills, LeaveNothingBehindAfterTheNextCommand) {
  run(opbench("op -q 'relu 1x64' --budget 0.05 --check none"));  // its kernel is kept from now on
  std::mt19937_64 random(7);
  int changed = 0;
  for (int kills = 0; kills < by_form(4, 50);) {
    const pid_t program = start_program(sweep());
    ASSERT_TRUE(waits_for_change()) << "nothing was set";
    if (!kill_after(program, std::chrono::milliseconds(random() % 1500), true)) continue;
    ++kills;
    changed += root_.all() != before_ ? 1 : 0;
    run(opbench("list engines"));
    ASSERT_EQ(root_.all(), before_) << "kill " << kills;
  }
  EXPECT_GT(changed, 0);
}

TEST_F(SettingKills, LeaveTheRestToTheKeeper) {
  const pid_t program = start_program(sweep());
  ASSERT_TRUE(waits_for_change()) << "nothing was set";
  EXPECT_TRUE(kill_after(program, std::chrono::milliseconds(0), false));
  for (int i = 0; i < kMostTicks && root_.all() != before_; ++i) {
    std::this_thread::sleep_for(kTick);
  }
  EXPECT_EQ(root_.all(), before_);
}

TEST_F(SettingKills, EndWithASignalInOrder) {
  const pid_t program = start_program(sweep());
  ASSERT_TRUE(waits_for_change()) << "nothing was set";
  ::kill(program, SIGTERM);
  int status = 0;
  ::waitpid(program, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(root_.all(), before_);
}

}  // namespace
}  // namespace opbench
