#pragma once

#include <functional>
#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/command.h"
#include "watching/series/alert.h"

namespace opbench {

/// What a command does with what was found.
struct RegressOutput {
  std::function<Result<void>(const RegressReport&)> write;  ///< in the format that was asked for
  std::function<Result<void>(const RegressReport&)> judge;  ///< what it means for the exit code
};

/// --suite and what goes with it: --base, --night, --keep, …
std::vector<OptionDef> suite_regress_options();

/// `regress --suite FILE`: measures tonight, analyses the history in the store, confirms by paired
/// runs, prints, prunes old builds. Errors beside those of watch_tonight() and the judgement:
/// `kPartial` where a case could not be measured; `kNoMatch` for the first night of a suite;
/// `kInterrupted` with the command that goes on.
Result<void> regress_suite(const Invocation& invocation, Terminal& terminal,
                           const RegressOutput& output);

}  // namespace opbench
