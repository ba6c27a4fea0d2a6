#pragma once

#include <functional>
#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/command.h"
#include "watching/series/alert.h"
#include "watching/series/history.h"

namespace opbench {

/// Prints what was found in the format that the command was asked for.
using RegressWriter = std::function<Result<void>(const RegressReport&, const History&)>;

/// --suite and what goes with it: --base, --night, --keep, …
std::vector<OptionDef> suite_regress_options();

/// `regress --suite FILE`: measures tonight, analyses the history in the store, confirms by paired
/// runs, prints, prunes old builds. Errors beside those of watch_tonight(): see regress_verdict();
/// `kPartial` where a case could not be measured; `kNoMatch` for the first night of a suite;
/// `kInterrupted` with the command that goes on.
Result<void> regress_suite(const Invocation& invocation, Terminal& terminal,
                           const RegressWriter& write);

/// What open alerts mean for the exit code: `kNotReproduced` for a confirmed one that is slower or
/// missing, `kInconclusive` with --strict for a suspected one.
Result<void> regress_verdict(const RegressReport& report, bool is_strict);

}  // namespace opbench
