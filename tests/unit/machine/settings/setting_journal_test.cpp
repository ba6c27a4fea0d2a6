#include "machine/settings/setting_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "machine/settings/settings_in_force.h"
#include "made_root.h"
#include "test_form.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const WantedSettings& wanted_of_journal() {
  static const WantedSettings kWanted = {{"cpu.governor", "performance"}, {"cpu.mhz", "2000"},
                                         {"memory.huge_pages", "never"},  {"cpu.cache_ways", "4"},
                                         {"cpu.bandwidth", "50"},         {"cpu.quota", "75"}};
  return kWanted;
}

/// A process that sets, again and again, and puts back, until it is killed; or sets once.
pid_t start_owner(const MadeRoot& root, bool is_once) {
  std::array<int, 2> ready{};
  if (::pipe(ready.data()) != 0) return -1;
  const pid_t child = ::fork();
  if (child == 0) {
    SettingFiles files(root.path());
    do {
      const auto set = SettingsInForce::set(files, wanted_of_journal(), false);
      if (is_once && ::write(ready[1], set ? "y" : "n", 1) != 1) ::_exit(1);
      while (is_once) ::pause();
    } while (true);
  }
  ::close(ready[1]);
  char answer = 'n';
  if (is_once && (::read(ready[0], &answer, 1) != 1 || answer != 'y')) ADD_FAILURE();
  ::close(ready[0]);
  return child;
}

void kill_owner(pid_t child) {
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(SettingJournal, PutsBackWhatADeadOwnerLeft) {
  const MadeRoot root;
  SettingFiles files(root.path());
  const auto before = root.all();
  const pid_t owner = start_owner(root, true);
  EXPECT_NE(root.all(), before);
  EXPECT_THAT(heal_settings(files)->restored, IsEmpty());  // it lives
  EXPECT_NE(root.all(), before);
  kill_owner(owner);
  const auto healed = heal_settings(files);
  ASSERT_TRUE(healed);
  EXPECT_EQ(healed->restored.size(), wanted_of_journal().size());
  EXPECT_EQ(root.all(), before);
  EXPECT_THAT(heal_settings(files)->restored, IsEmpty());
}

TEST(SettingJournal, RefusesASettingOfAnotherRunThatLives) {
  const MadeRoot root;
  SettingFiles files(root.path());
  const pid_t owner = start_owner(root, true);
  for (const char* name : {"cpu.mhz", "cpu.mhz_max"}) {
    const auto second = SettingsInForce::set(files, {{name, "1000"}}, false);
    ASSERT_FALSE(second) << name;
    EXPECT_EQ(second.error().code, ErrorCode::kEnvironment);
    EXPECT_THAT(to_text(second.error()),
                HasSubstr("cpu.mhz is set to \"2000\" for another run\n  process: " +
                          std::to_string(owner)));
  }
  EXPECT_TRUE(SettingsInForce::set(files, {{"cpu.turbo", "off"}}, false));
  kill_owner(owner);
  EXPECT_TRUE(SettingsInForce::set(files, {{"cpu.mhz", "1000"}}, false));
}

TEST(SettingJournal, IsOfNoUseAfterABoot) {
  const MadeRoot root;
  SettingFiles files(root.path());
  root.put("run/opbench/settings.jsonl",
           R"({"process":1,"start":0,"boot":"another","setting":"cpu.smt","before":"off",)"
           R"("value":"on","steps":[{"kind":"write",)"
           R"("path":"sys/devices/system/cpu/smt/control","before":"off","after":"on"}]})");
  const auto healed = heal_settings(files);
  ASSERT_TRUE(healed) << to_text(healed.error());
  EXPECT_THAT(healed->restored, IsEmpty());
  EXPECT_EQ(root.text("sys/devices/system/cpu/smt/control"), "on");
  EXPECT_FALSE(std::filesystem::exists(root.path() / "run/opbench/settings.jsonl"));
}

TEST(SettingJournal, IsNoLinkToAnotherFile) {
  const MadeRoot root;
  SettingFiles files(root.path());
  root.put("run/written_for_this", "{");
  std::filesystem::create_directories(root.path() / "run/opbench");
  std::filesystem::create_symlink(root.path() / "run/written_for_this",
                                  root.path() / "run/opbench/settings.jsonl");
  const auto healed = heal_settings(files);
  ASSERT_TRUE(healed) << to_text(healed.error());
  EXPECT_THAT(healed->restored, IsEmpty());
}

TEST(SettingJournal, RefusesWhatNoSettingDoes) {
  const MadeRoot root;
  SettingFiles files(root.path());
  for (const std::string step :
       {R"("write","path":"etc/passwd","before":"x")",
        R"("write","path":"sys/../etc","before":"x")",
        R"("folder","path":"sys/fs/resctrl","before":"")",
        R"("enter","path":"sys/fs/resctrl/tasks","before":"")",
        R"("enter","path":"sys/fs/cgroup/opbench-1/cgroup.procs","before":"etc/passwd")",
        R"("erase","path":"sys/fs/resctrl/opbench-1","before":"")"}) {
    root.put("run/opbench/settings.jsonl",
             R"({"process":1,"start":0,"boot":"","setting":"cpu.smt","before":"","value":"",)"
             R"("steps":[{"kind":)" +
                 step + R"(,"after":"y"}]})");
    const auto healed = heal_settings(files);
    ASSERT_FALSE(healed) << step;
    EXPECT_THAT(to_text(healed.error()), HasSubstr("is no step of a setting"));
  }
  root.put("run/opbench/settings.jsonl", "{");
  EXPECT_THAT(to_text(heal_settings(files).error()), HasSubstr("delete the file"));
}

TEST(SettingJournal, KeepsWhatCannotBePutBackYet) {
  const MadeRoot root;
  OddFiles files(root.path());
  const auto before = root.all();
  kill_owner(start_owner(root, true));
  files.refused = {"scaling_governor"};
  const auto healed = heal_settings(files);
  ASSERT_TRUE(healed);
  ASSERT_EQ(healed->left.size(), 1U);
  EXPECT_EQ(healed->left[0].first.setting, "cpu.governor");
  EXPECT_THAT(healed->left[0].second, HasSubstr("Invalid argument"));
  files.refused.clear();
  EXPECT_EQ(heal_settings(files)->restored.size(), 1U);
  EXPECT_EQ(root.all(), before);
}

TEST(SettingJournal, HealsOwnersKilledAtAnyMoment) {
  const MadeRoot root;
  SettingFiles files(root.path());
  const auto before = root.all();
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(SettingsInForce::set(files, wanted_of_journal(), false));
  // Within two rounds of the owner, however busy the machine is; and the time of its start.
  const auto round = std::chrono::steady_clock::now() - begin;
  const auto most_us = std::chrono::duration_cast<std::chrono::microseconds>(2 * round).count();
  constexpr uint64_t kStartUs = 5000;
  std::mt19937_64 random(1);
  int found = 0;
  for (int i = 0; i < by_form(60, 300); ++i) {
    const pid_t owner = start_owner(root, false);
    ASSERT_GT(owner, 0);
    std::this_thread::sleep_for(
        std::chrono::microseconds(random() % (static_cast<uint64_t>(most_us) + kStartUs)));
    kill_owner(owner);
    found += root.all() != before ? 1 : 0;
    const auto healed = heal_settings(files);
    ASSERT_TRUE(healed) << to_text(healed.error());
    ASSERT_THAT(healed->left, IsEmpty());
    ASSERT_EQ(root.all(), before) << "kill " << i;
    ASSERT_FALSE(std::filesystem::exists(root.path() / "run/opbench/settings.jsonl"));
  }
  EXPECT_GT(found, 0);  // kills that found something changed
}

TEST(SettingOwner, IsAliveAsLongAsItsProcess) {
  EXPECT_TRUE(is_alive(this_process()));
  SettingOwner other = this_process();
  other.start += 1;
  EXPECT_FALSE(is_alive(other));  // another process with its number
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_FALSE(is_alive(owner_of(child)));  // it waits to be reaped
  ::waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace opbench
