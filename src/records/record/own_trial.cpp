#include "records/record/own_trial.h"

#include <string_view>

namespace opbench {
namespace {

constexpr std::string_view kNumbering = "0.8.0";
constexpr std::string_view kMark = "+opbench.";
constexpr std::string_view kOwnTask = ".opbench";

}  // namespace

std::string own_tvm_version(const std::string& opbench_version) {
  return std::string(kNumbering) + std::string(kMark) + opbench_version;
}

std::optional<std::string> own_version_of(const TuningRecord& trial) {
  const std::string version = trial.tvm_version.value_or("");
  const size_t mark = version.find(kMark);
  if (mark != std::string::npos) return version.substr(mark + kMark.size());
  if (own_schedule_of(trial)) return "";
  return {};
}

std::optional<std::string> own_schedule_of(const TuningRecord& trial) {
  if (!trial.task.ends_with(kOwnTask)) return {};
  return trial.task.substr(0, trial.task.size() - kOwnTask.size());
}

}  // namespace opbench
