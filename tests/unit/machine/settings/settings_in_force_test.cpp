#include "machine/settings/settings_in_force.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "made_root.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kPolicies = "sys/devices/system/cpu/cpufreq/policy";

Result<SettingsInForce> set_here(SettingFiles& files, const WantedSettings& wanted) {
  return SettingsInForce::set(files, wanted, false);
}

std::string why_not_set(SettingFiles& files, const WantedSettings& wanted) {
  const auto set = set_here(files, wanted);
  return set ? "" : to_text(set.error());
}

TEST(SettingsInForce, AreSetAndPutBack) {
  const MadeRoot root;
  SettingFiles files(root.path());
  const auto before = root.all();
  {
    const auto set = set_here(files, {{"cpu.governor", "performance"},
                                      {"cpu.mhz", "2000"},
                                      {"cpu.turbo", "off"},
                                      {"cpu.smt", "off"},
                                      {"memory.huge_pages", "never"},
                                      {"cpu.cache_ways", "4"},
                                      {"cpu.bandwidth", "50"},
                                      {"cpu.quota", "75"}});
    ASSERT_TRUE(set) << to_text(set.error());
    EXPECT_EQ(set->taken().size(), 8U);
    EXPECT_THAT(set->remarks(), ElementsAre());
    EXPECT_EQ(root.text(kPolicies + std::string("0/scaling_governor")), "performance");
    EXPECT_EQ(root.text(kPolicies + std::string("1/scaling_governor")), "performance");
    EXPECT_EQ(root.text(kPolicies + std::string("1/scaling_min_freq")), "2000000");
    EXPECT_EQ(root.text("sys/devices/system/cpu/intel_pstate/no_turbo"), "1");
    EXPECT_EQ(root.text("sys/devices/system/cpu/smt/control"), "off");
    EXPECT_EQ(root.text("sys/kernel/mm/transparent_hugepage/enabled"), "never");
    const std::string own = "/opbench-" + std::to_string(::getpid());
    EXPECT_EQ(root.text("sys/fs/cgroup/app" + own + "/cpu.max"), "75000 100000");
    EXPECT_EQ(root.text("sys/fs/cgroup/app" + own + "/cgroup.procs"), std::to_string(::getpid()));
    EXPECT_TRUE(std::filesystem::exists(root.path() / ("sys/fs/resctrl" + own) / "tasks"));
    EXPECT_TRUE(std::filesystem::exists(root.path() / "run/opbench/settings.jsonl"));
  }
  EXPECT_EQ(root.all(), before);
  EXPECT_FALSE(std::filesystem::exists(root.path() / "run/opbench/settings.jsonl"));
}

TEST(SettingsInForce, UseControlGroupsOfVersion1) {
  const MadeRoot root(1);
  SettingFiles files(root.path());
  const auto before = root.all();
  {
    const auto set = set_here(files, {{"cpu.quota", "50"}});
    ASSERT_TRUE(set) << to_text(set.error());
    EXPECT_EQ(set->taken().at("cpu.quota"), "50");
    const std::string own = "sys/fs/cgroup/cpu/opbench-" + std::to_string(::getpid());
    EXPECT_EQ(root.text(own + "/cpu.cfs_quota_us"), "50000");
  }
  EXPECT_EQ(root.all(), before);
  EXPECT_EQ(root.text("sys/fs/cgroup/cpu/cgroup.procs"), std::to_string(::getpid()));
}

TEST(SettingsInForce, PutAllBackWhenTheKernelRefusesOne) {
  const MadeRoot root;
  OddFiles files(root.path());
  const auto before = root.all();
  files.refused = {"transparent_hugepage/enabled"};
  EXPECT_EQ(why_not_set(files, {{"cpu.governor", "performance"}, {"memory.huge_pages", "never"}}),
            "error: memory.huge_pages cannot be set to \"never\"\n  reason: cannot write "
            "\"sys/kernel/mm/transparent_hugepage/enabled\": Invalid argument\n");
  // The refused file still refuses, but holds what it held.
  EXPECT_EQ(root.all(), before);
}

TEST(SettingsInForce, NoticeAKernelThatKeepsItsValue) {
  const MadeRoot root;
  OddFiles files(root.path());
  files.deaf = {"no_turbo"};
  EXPECT_THAT(why_not_set(files, {{"cpu.turbo", "off"}}), HasSubstr("the kernel keeps \"on\""));
}

TEST(SettingsInForce, TellWhatTheKernelRounds) {
  const MadeRoot root;
  OddFiles files(root.path());
  const auto before = root.all();
  files.rounded["scaling_max_freq"] = [](const std::string& khz) {
    return khz == "3500000" ? khz : khz.substr(0, 2) + "00000";
  };
  {
    const auto set = set_here(files, {{"cpu.mhz_max", "2450"}});
    ASSERT_TRUE(set) << to_text(set.error());
    EXPECT_EQ(set->taken().at("cpu.mhz_max"), "2400");
    EXPECT_THAT(set->remarks(), ElementsAre("the kernel took 2400 for cpu.mhz_max, not 2450"));
  }
  EXPECT_EQ(root.all(), before);
}

TEST(SettingsInForce, TakeAFileThatVanishesForPutBack) {
  const MadeRoot root;
  SettingFiles files(root.path());
  auto set = set_here(files, {{"cpu.governor", "performance"}});
  ASSERT_TRUE(set);
  std::filesystem::remove_all(root.path() / "sys/devices/system/cpu/cpufreq/policy1");
  EXPECT_TRUE(set->put_back());
  EXPECT_EQ(root.text(kPolicies + std::string("0/scaling_governor")), "schedutil");
  EXPECT_FALSE(std::filesystem::exists(root.path() / "run/opbench/settings.jsonl"));
}

TEST(SettingsInForce, SayWhenAFileVanishesBeforeItIsWritten) {
  const MadeRoot root;
  OddFiles files(root.path());
  files.before_write = [&](const std::string& path) {
    std::filesystem::remove(root.path() / path);
  };
  EXPECT_THAT(why_not_set(files, {{"cpu.smt", "off"}}), HasSubstr("No such file"));
}

// The kernel never takes a lower limit above the upper one.
TEST(SettingsInForce, MoveTheLimitsOfTheClockInTheRightOrder) {
  const MadeRoot root;
  OddFiles files(root.path());
  const auto is_in_order = [&] {
    for (const char* policy : {"0", "1"}) {
      const std::string place = kPolicies + std::string(policy);
      if (std::stol(root.text(place + "/scaling_min_freq")) >
          std::stol(root.text(place + "/scaling_max_freq"))) {
        return false;
      }
    }
    return true;
  };
  bool was_in_order = true;
  files.before_write = [&](const std::string&) { was_in_order = was_in_order && is_in_order(); };
  for (const char* policy : {"0", "1"}) {
    root.put(kPolicies + std::string(policy) + "/scaling_max_freq", "1000000");
  }
  const auto before = root.all();
  for (const char* mhz : {"3000", "800", "1000"}) {
    ASSERT_TRUE(set_here(files, {{"cpu.mhz", mhz}})) << mhz;
    EXPECT_EQ(root.all(), before);
  }
  EXPECT_TRUE(was_in_order && is_in_order());
}

TEST(SettingsInForce, KeepInTheJournalWhatCannotBePutBack) {
  const MadeRoot root;
  OddFiles files(root.path());
  auto set = set_here(files, {{"cpu.smt", "off"}});
  ASSERT_TRUE(set);
  files.refused = {"smt/control"};
  const auto put_back = set->put_back();
  ASSERT_FALSE(put_back);
  EXPECT_THAT(to_text(put_back.error()), HasSubstr("cpu.smt cannot be put back to \"on\""));
  EXPECT_TRUE(std::filesystem::exists(root.path() / "run/opbench/settings.jsonl"));
}

TEST(SettingsInForce, RefuseUnknownNames) {
  const MadeRoot root;
  SettingFiles files(root.path());
  EXPECT_THAT(why_not_set(files, {{"cpu.govenor", "performance"}}),
              HasSubstr("did you mean: cpu.governor?"));
  EXPECT_EQ(why_not_set(files, {}), "");
}

}  // namespace
}  // namespace opbench
