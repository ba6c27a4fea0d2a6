#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "base/numbers/number.h"
#include "machine/facts/cgroup.h"
#include "machine/settings/setting.h"

namespace opbench {
namespace {

constexpr int64_t kPeriodUs = 100'000;
constexpr int64_t kPercent = 100;
constexpr const char* kNoQuota = "none";

bool hands_cpu_on(const SettingFiles& files, const std::string& group) {
  std::istringstream words(files.read(group + "/cgroup.subtree_control").value_or(""));
  for (std::string word; words >> word;) {
    if (word == "cpu") return true;
  }
  return false;
}

/// The group in which a run makes one of its own: with version 1 the process's, with version 2 the
/// nearest around it that hands the CPU controller on to groups in it.
struct QuotaParent {
  int version = 0;
  std::string group;  ///< where the run's group is made
  std::string home;   ///< where this process is
};

Result<QuotaParent> quota_parent(const SettingFiles& files) {
  const CpuGroups groups = cpu_groups(files.root());
  if (groups.version == 0 || groups.folders.empty()) {
    return Error{ErrorCode::kEnvironment, "no control groups are mounted here"};
  }
  const std::string home = files.path_of(groups.folders.front());
  if (groups.version == 1) return QuotaParent{1, home, home};
  for (const auto& folder : groups.folders) {
    const std::string group = files.path_of(folder);
    if (hands_cpu_on(files, group)) return QuotaParent{2, group, home};
  }
  return Error{
      ErrorCode::kEnvironment,
      fmt::format("no control group around this process hands the CPU controller on; needs "
                  "root: echo +cpu > {}",
                  (groups.folders.back() / "cgroup.subtree_control").string())};
}

std::string why_no_quota(const SettingFiles& files) {
  const auto parent = quota_parent(files);
  if (!parent) return parent.error().message;
  std::string reason = files.why_unwritable(parent->group + "/cgroup.procs");
  if (reason.empty()) reason = files.why_unwritable(parent->home + "/cgroup.procs");
  if (!reason.empty() || ::access(files.place(parent->group).c_str(), W_OK | X_OK) == 0) {
    return reason;
  }
  return fmt::format("needs root, or a control group of one's own: no group can be made in \"{}\"",
                     files.place(parent->group).string());
}

SettingState find_quota(const SettingPlace& place) {
  SettingState state;
  const CgroupLimits limits = cgroup_limits(place.files.root());
  state.reason = why_no_quota(place.files);
  if (limits.version == 0) return state;
  state.value =
      limits.cpu_quota
          ? std::to_string(std::llround(*limits.cpu_quota * static_cast<double>(kPercent)))
          : kNoQuota;
  state.range = {.words = {kNoQuota},
                 .low = 1,
                 .high = std::max<int64_t>(std::ssize(place.cpus), 1) * kPercent,
                 .unit = "% of a CPU"};
  return state;
}

Result<std::vector<SettingStep>> quota_steps(const SettingPlace& place, const std::string& value) {
  using Kind = SettingStep::Kind;
  OPBENCH_TRY(const QuotaParent parent, quota_parent(place.files));
  const std::string group = fmt::format("{}/{}{}", parent.group, kSettingGroup, ::getpid());
  const bool is_limited = value != kNoQuota;
  const int64_t quota_us = parse_integer(value).value_or(kPercent) * kPeriodUs / kPercent;
  std::vector<SettingStep> steps = {{.kind = Kind::kFolder, .path = group}};
  if (parent.version == 1) {
    steps.push_back({.path = group + "/cpu.cfs_period_us", .after = std::to_string(kPeriodUs)});
    steps.push_back(
        {.path = group + "/cpu.cfs_quota_us", .after = std::to_string(is_limited ? quota_us : -1)});
  } else {
    const std::string limit = is_limited ? std::to_string(quota_us) : "max";
    steps.push_back({.path = group + "/cpu.max", .after = fmt::format("{} {}", limit, kPeriodUs)});
  }
  steps.push_back({.kind = Kind::kEnter,
                   .path = group + "/cgroup.procs",
                   .before = parent.home + "/cgroup.procs"});
  return steps;
}

/// Of the file of the quota: the last that is written.
std::optional<std::string> taken_quota(const SettingFiles& files,
                                       const std::vector<SettingStep>& steps) {
  std::optional<std::string> taken;
  for (const SettingStep& step : steps) {
    if (step.kind != SettingStep::Kind::kWrite || step.path.ends_with("period_us")) continue;
    const auto text = files.read(step.path);
    if (!text) return {};
    const std::string first = text->substr(0, text->find(' '));
    const auto quota_us = parse_integer(first);
    if (!quota_us && first != "max") return {};
    taken =
        !quota_us || *quota_us < 0 ? kNoQuota : std::to_string(*quota_us * kPercent / kPeriodUs);
  }
  return taken;
}

}  // namespace

SettingDef cpu_quota_setting() {
  return {.name = "cpu.quota",
          .summary = "CPU time that all processes of the run get together",
          .set_by = "--over cpu.quota=N,N",
          .find = find_quota,
          .steps = quota_steps,
          .taken = taken_quota};
}

}  // namespace opbench
