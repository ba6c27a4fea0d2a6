#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/regress/night_history.h"
#include "experiments/regress/night_run.h"
#include "watching/nights/night_state.h"
#include "watching/series/paired_runs.h"

namespace opbench {

/// Nights that were left out and are measured now, so that nobody is blamed for all of their
/// commits.
struct BackfillRequest {
  Suite suite;
  std::string night;                                                ///< tonight's name
  WatchOptions options;                                             ///< of the analysis
  std::function<Result<PairSource>(const WatchedHistory&)> source;  ///< what earlier nights asked
  std::string why_not;                              ///< why nothing can be measured; empty: it can
  std::function<Result<WatchedHistory>()> history;  ///< as the store has it now
  /// Builds a commit and measures these cases as a night of this name.
  std::function<Result<NightOutcome>(const std::string& commit, const std::string& night,
                                     const std::vector<SuiteCase>& cases)>
      measure;
};

/// While a change of tonight is suspected and came with any of several commits: measures the one in
/// the middle, at most 3 commits, and at most a third of the suite's budget or one case. Only the
/// suspected cases are measured, and the controls beside them. Returns a line for each commit, and
/// one for what is left and why. Errors of the store and interruptions alone end it.
Result<std::vector<std::string>> fill_nights(const BackfillRequest& request);

}  // namespace opbench
