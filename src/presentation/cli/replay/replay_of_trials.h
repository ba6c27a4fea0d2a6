#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/command.h"

namespace opbench {

/// Whether a file's first record is a tuner's trial, or it has none that can be read. False for
/// what is no file. `kNoMatch` for one without records, `kInvalidInput` when no format is
/// recognised.
Result<bool> holds_trials(const std::string& path);

/// The options that `replay` takes for logs of trials alone.
std::vector<OptionDef> trial_replay_options();

/// Builds, checks and measures a log's trials here. `kNoMatch` when none can be repeated,
/// `kNotReproduced` when results were wrong, `kPartial` when trials failed or records were bad,
/// `kInvalidInput` when all of them are.
Result<void> replay_log(const Invocation& invocation, Terminal& terminal);

}  // namespace opbench
