#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "machine/settings/setting.h"

namespace opbench {

/// Does the steps in their order. The error of the first that fails; those before it are done.
Result<void> do_steps(SettingFiles& files, const std::vector<SettingStep>& steps);

/// Undoes the steps in the reverse order, all of them; those that were never done do no harm. What
/// is no longer there counts as undone. The error of the first that fails, the others are undone.
Result<void> undo_steps(SettingFiles& files, const std::vector<SettingStep>& steps);

/// False for a step that no setting makes: a path outside of sys, a group that is not OpBench's.
bool is_of_settings(const SettingStep& step);

}  // namespace opbench
