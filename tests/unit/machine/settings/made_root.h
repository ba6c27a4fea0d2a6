#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "base/files/file.h"
#include "machine/settings/setting_files.h"

namespace opbench {

/// A root with the files of a machine that has every setting: two frequency policies, resctrl, and
/// control groups of version 2 (or 1).
class MadeRoot {
 public:
  explicit MadeRoot(int groups = 2)
      : folder_(TemporaryFolder::make_in(std::filesystem::temp_directory_path()).value()) {
    make_cpus();
    make_resctrl();
    groups == 2 ? make_groups() : make_old_groups();
    std::filesystem::create_directories(path() / "run");
  }

  const std::filesystem::path& path() const { return folder_.path(); }

  void put(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name) << text << "\n";
  }

  std::string text(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path() / name).rdbuf();
    return text.str().substr(0, text.str().find('\n'));
  }

  /// All files of settings by path; lists of processes are no setting. Nothing while a folder
  /// vanishes.
  std::map<std::string, std::string> all() const {
    std::map<std::string, std::string> texts;
    std::error_code error;
    std::filesystem::recursive_directory_iterator at(path() / "sys", error), end;
    for (; !error && at != end; at.increment(error)) {
      const auto& entry = *at;
      const std::string name = entry.path().lexically_relative(path()).string();
      if (name.ends_with("procs") || name.ends_with("tasks")) continue;
      std::error_code vanished;
      texts[name] = entry.is_directory(vanished) ? "a folder" : text(name);
    }
    if (error) texts.clear();
    return texts;
  }

 private:
  void make_cpus() const {
    const std::string cpus = "sys/devices/system/cpu/";
    for (const char* policy : {"cpufreq/policy0/", "cpufreq/policy1/"}) {
      put(cpus + policy + "scaling_governor", "schedutil");
      put(cpus + policy + "scaling_available_governors", "performance powersave schedutil");
      put(cpus + policy + "scaling_min_freq", "800000");
      put(cpus + policy + "scaling_max_freq", "3500000");
      put(cpus + policy + "cpuinfo_min_freq", "800000");
      put(cpus + policy + "cpuinfo_max_freq", "3500000");
    }
    put(cpus + "cpufreq/policy1/scaling_governor", "powersave");
    put(cpus + "intel_pstate/no_turbo", "0");
    put(cpus + "smt/control", "on");
    put("sys/kernel/mm/transparent_hugepage/enabled", "madvise");
  }

  void make_resctrl() const {
    const std::string resctrl = "sys/fs/resctrl/";
    put(resctrl + "schemata", "    L3:0=fff;1=fff\n    MB:0=100;1=100");
    put(resctrl + "tasks", "1");
    put(resctrl + "info/L3/cbm_mask", "fff");
    put(resctrl + "info/L3/min_cbm_bits", "2");
    put(resctrl + "info/L3/num_closids", "16");
    put(resctrl + "info/MB/min_bandwidth", "10");
    put(resctrl + "info/MB/bandwidth_gran", "10");
    put(resctrl + "info/MB/num_closids", "8");
  }

  void make_groups() const {
    put("proc/self/mountinfo",
        "30 22 0:27 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw,nsdelegate");
    put("proc/self/cgroup", "0::/app/session");
    put("sys/fs/cgroup/cgroup.subtree_control", "cpu memory");
    put("sys/fs/cgroup/cgroup.procs", "1");
    put("sys/fs/cgroup/app/cgroup.subtree_control", "cpu");
    put("sys/fs/cgroup/app/cgroup.procs", "");
    put("sys/fs/cgroup/app/session/cgroup.subtree_control", "");
    put("sys/fs/cgroup/app/session/cgroup.procs", "7");
  }

  void make_old_groups() const {
    put("proc/self/mountinfo", "31 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu");
    put("proc/self/cgroup", "1:cpu:/");
    put("sys/fs/cgroup/cpu/cgroup.procs", "7");
    put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
    put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  }

  TemporaryFolder folder_;
};

/// Files that do what a kernel's may do.
class OddFiles : public SettingFiles {
 public:
  using SettingFiles::SettingFiles;

  std::set<std::string> refused;  ///< ends of the paths that take no text
  std::set<std::string> deaf;     ///< that take it and keep the old one
  /// What a file makes of a text, by the end of its path.
  std::map<std::string, std::function<std::string(const std::string&)>> rounded;
  std::function<void(const std::string& path)> before_write;

  Result<void> write(const std::string& path, const std::string& text) override {
    if (before_write) before_write(path);
    for (const std::string& end : refused) {
      if (!path.ends_with(end)) continue;
      return Error{ErrorCode::kEnvironment, "cannot write \"" + path + "\": Invalid argument"};
    }
    for (const std::string& end : deaf) {
      if (path.ends_with(end)) return {};
    }
    for (const auto& [end, round] : rounded) {
      if (path.ends_with(end)) return SettingFiles::write(path, round(text));
    }
    return SettingFiles::write(path, text);
  }
};

}  // namespace opbench
