#pragma once

#include <string>
#include <vector>

#include "machine/settings/setting.h"

namespace opbench {

/// Folders of the frequency policies, `sys/devices/system/cpu/cpufreq/policy0`; each is of the CPUs
/// that share a clock. Empty: the kernel controls no frequency here.
std::vector<std::string> cpufreq_policies(const SettingFiles& files);

/// Why there are none.
std::string no_cpufreq_reason();

/// Why one of these files of the policies cannot be written; empty if all can.
std::string why_policies_unwritable(const SettingFiles& files, const std::string& file);

/// The different texts of a file of all policies, `performance, powersave`. The error of a file
/// that cannot be read.
Result<std::string> text_of_policies(const SettingFiles& files, const std::string& file);

/// Steps that write the same text to a file of every policy.
Result<std::vector<SettingStep>> policy_steps(const SettingFiles& files, const std::string& file,
                                              const std::string& text);

/// The clock in MHz that this file of the policies holds in kHz, and what it may be.
SettingState mhz_state(const SettingFiles& files, const std::string& file);

/// `scaling_min_freq`, `scaling_max_freq`: a limit of the clock in MHz.
Result<std::vector<SettingStep>> mhz_steps(const SettingFiles& files, const std::string& file,
                                           const std::string& mhz);

}  // namespace opbench
