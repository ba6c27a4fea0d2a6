#pragma once

#include <optional>
#include <string>

#include "records/record/tuning_record.h"

/// Trials that this program made. Their logs are AutoTVM's, so that the version of TVM in them
/// tells who wrote them: `0.8.0+opbench.0.1.0`.
namespace opbench {

/// TVM's version, whose numbering the configs have, with this program's behind it.
std::string own_tvm_version(const std::string& opbench_version);

/// The version of this program that made a trial; empty if it is not known. Nothing for a trial
/// that another program made. Trials of our own schedules were always ours.
std::optional<std::string> own_version_of(const TuningRecord& trial);

/// `conv2d_direct` for a task of one of our own schedules, else nothing.
std::optional<std::string> own_schedule_of(const TuningRecord& trial);

}  // namespace opbench
