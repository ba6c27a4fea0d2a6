#include "machine/settings/setting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "made_root.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

SettingState state_of(SettingFiles& files, const std::string& name) {
  return setting_table().find(name).value()->find(setting_place(files));
}

std::string refusal_of(SettingFiles& files, const std::string& name, const std::string& value) {
  const SettingDef& setting = *setting_table().find(name).value();
  const auto checked = check_setting(setting, setting.find(setting_place(files)), value);
  return checked ? "" : to_text(checked.error());
}

TEST(Settings, HaveAValueAndARange) {
  const MadeRoot root;
  SettingFiles files(root.path());
  const std::map<std::string, std::pair<std::string, std::string>> expected = {
      {"cpu.governor", {"powersave, schedutil", "performance, powersave, schedutil"}},
      {"cpu.mhz", {"800 to 3500", "800 to 3500 MHz"}},
      {"cpu.mhz_min", {"800", "800 to 3500 MHz"}},
      {"cpu.mhz_max", {"3500", "800 to 3500 MHz"}},
      {"cpu.turbo", {"on", "on, off"}},
      {"cpu.smt", {"on", "on, off"}},
      {"memory.huge_pages", {"madvise", "always, madvise, never"}},
      {"cpu.cache_ways", {"12", "2 to 12 ways of L3"}},
      {"cpu.bandwidth", {"100", "10 to 100 % by 10"}}};
  for (const auto& [name, state] : expected) {
    const SettingState found = state_of(files, name);
    EXPECT_EQ(found.value, state.first) << name;
    EXPECT_EQ(range_text(found.range), state.second) << name;
    EXPECT_TRUE(found.is_settable()) << name << ": " << found.reason;
    EXPECT_THAT(found.reason, IsEmpty()) << name;
  }
  EXPECT_EQ(state_of(files, "cpu.quota").value, "none");
  EXPECT_THAT(range_text(state_of(files, "cpu.quota").range), HasSubstr("none, 1 to "));
}

TEST(Settings, SayWhyThereIsNoValue) {
  const auto folder = TemporaryFolder::make_in(testing::TempDir());
  SettingFiles files(folder->path());
  for (const std::string& name : settable_names()) {
    if (setting_table().find(name).value()->is_set_by_engine) continue;  // no file of the root
    const SettingState state = state_of(files, name);
    EXPECT_FALSE(state.value) << name;
    EXPECT_FALSE(state.is_settable()) << name;
    EXPECT_THAT(state.reason, Not(IsEmpty())) << name;
    EXPECT_THAT(refusal_of(files, name, "1"), HasSubstr(name + " cannot be set here")) << name;
  }
}

TEST(Settings, SayWhatOddFilesHold) {
  const MadeRoot root;
  SettingFiles files(root.path());
  root.put("sys/devices/system/cpu/smt/control", "notsupported");
  EXPECT_FALSE(state_of(files, "cpu.smt").value);
  EXPECT_THAT(state_of(files, "cpu.smt").reason, HasSubstr("(notsupported)"));
  root.put("sys/devices/system/cpu/smt/control", "forceoff");
  EXPECT_EQ(state_of(files, "cpu.smt").value, "off");
  EXPECT_FALSE(state_of(files, "cpu.smt").is_settable());
  root.put("sys/devices/system/cpu/cpufreq/policy1/scaling_max_freq", "<unknown>");
  EXPECT_FALSE(state_of(files, "cpu.mhz").value);
  EXPECT_THAT(state_of(files, "cpu.mhz").reason, HasSubstr("policy1\" does not tell"));
  std::filesystem::remove(root.path() / "sys/devices/system/cpu/intel_pstate/no_turbo");
  root.put("sys/devices/system/cpu/cpufreq/boost", "0");
  EXPECT_EQ(state_of(files, "cpu.turbo").value, "off");
}

TEST(Settings, TellRootOnlyFromNeverWritable) {
  const MadeRoot root;
  SettingFiles files(root.path());
  const auto control = root.path() / "sys/devices/system/cpu/smt/control";
  std::filesystem::permissions(control, std::filesystem::perms::owner_read);
  EXPECT_THAT(state_of(files, "cpu.smt").reason, HasSubstr("does not let"));
  EXPECT_EQ(state_of(files, "cpu.smt").value, "on");
}

TEST(Settings, SayWhatResctrlNeeds) {
  const MadeRoot root;
  SettingFiles files(root.path());
  std::filesystem::remove_all(root.path() / "sys/fs/resctrl");
  EXPECT_THAT(state_of(files, "cpu.cache_ways").reason, HasSubstr("(no cat_l3)"));
  root.put("proc/cpuinfo", "processor : 0\nflags\t\t: fpu cat_l3 mba");
  EXPECT_THAT(state_of(files, "cpu.cache_ways").reason, HasSubstr("mount -t resctrl"));
  EXPECT_THAT(state_of(files, "cpu.bandwidth").reason, HasSubstr("needs root"));
}

TEST(Settings, SayWhatAQuotaNeeds) {
  const MadeRoot root;
  SettingFiles files(root.path());
  for (const char* group : {"", "app/", "app/session/"}) {
    root.put("sys/fs/cgroup/" + std::string(group) + "cgroup.subtree_control", "memory");
  }
  EXPECT_THAT(state_of(files, "cpu.quota").reason, HasSubstr("echo +cpu > "));
  const MadeRoot old_root(1);
  SettingFiles old_files(old_root.path());
  EXPECT_TRUE(state_of(old_files, "cpu.quota").is_settable());
  old_root.put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000");
  EXPECT_EQ(state_of(old_files, "cpu.quota").value, "50");
}

TEST(Settings, RefuseValuesOutOfTheirRange) {
  const MadeRoot root;
  SettingFiles files(root.path());
  EXPECT_EQ(refusal_of(files, "cpu.governor", "performence"),
            "error: cpu.governor cannot be \"performence\"\n"
            "  valid: performance, powersave, schedutil\n  did you mean: performance?\n");
  EXPECT_EQ(refusal_of(files, "cpu.mhz", "5000"),
            "error: cpu.mhz cannot be \"5000\"\n  valid: 800 to 3500 MHz\n"
            "  did you mean: 3500?\n");
  EXPECT_THAT(refusal_of(files, "cpu.bandwidth", "55"), HasSubstr("did you mean: 50?"));
  EXPECT_THAT(refusal_of(files, "cpu.cache_ways", "1"), HasSubstr("did you mean: 2?"));
  EXPECT_THAT(refusal_of(files, "threads", "1"), HasSubstr("set by: --threads N"));
  EXPECT_EQ(refusal_of(files, "cpu.quota", "none"), "");
}

TEST(Settings, AreDataForPrograms) {
  const MadeRoot root;
  SettingFiles files(root.path());
  const SettingDef& setting = *setting_table().find("cpu.bandwidth").value();
  const Json json = to_json(setting, setting.find(setting_place(files)));
  EXPECT_EQ(json["value"], 100);
  EXPECT_EQ(json["range"]["step"], 10);
  EXPECT_EQ(json["settable"], true);
  EXPECT_TRUE(json["reason"].is_null());
}

TEST(Settings, KnowWhichAreParts) {
  const SettingDef& mhz = *setting_table().find("cpu.mhz").value();
  const SettingDef& most = *setting_table().find("cpu.mhz_max").value();
  EXPECT_TRUE(are_one(mhz, "cpu.mhz_min"));
  EXPECT_TRUE(are_one(most, "cpu.mhz"));
  EXPECT_FALSE(are_one(most, "cpu.mhz_min"));
}

}  // namespace
}  // namespace opbench
