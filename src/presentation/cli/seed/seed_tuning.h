#pragma once

#include <string>

#include "presentation/cli/command.h"
#include "presentation/cli/seed/seed_arguments.h"

namespace opbench {

/// What the predecessor does with --iftune and --ifcompare, as today's commands: tunes AutoTVM's
/// templates into a log in the current folder (and goes on with one that is there), then profiles
/// the model with that log, or compares it with the default kernels. Each command is told on
/// `terminal.err`. Errors are those of the commands; `kInvalidInput` when there is no log.
Result<void> run_seed_tuning(const Invocation& invocation, const std::string& model,
                             const SeedTuning& tuning, Terminal& terminal);

}  // namespace opbench
