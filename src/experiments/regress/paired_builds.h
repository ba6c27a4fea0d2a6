#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/regress/commit_build.h"
#include "experiments/regress/suite.h"
#include "experiments/sessions/request/run_hooks.h"

namespace opbench {

/// What two builds are compared on.
struct PairedSubject {
  SuiteCase suite_case;
  std::string cache = "hot";
  std::string check = {};  ///< as in Suite
  std::string unit = {};   ///< canonical text of its workload; empty: the model, or the workload
  bool is_whole = true;    ///< false with an empty unit: every unit and the model
};

/// The pairs of one row.
struct RowPairs {
  std::string unit;                ///< canonical text; empty: the model
  std::string shapes;              ///< short form, for people
  std::vector<double> log_ratios;  ///< ln(after / before), one a pair
  double before_ms = 0;            ///< a call of the build before, the median
};

/// Measures two builds in turn, in processes of their own on the same CPUs, `pairs` times or a few
/// more. Disturbed pairs are left out. Errors of run_compare, with the reason; an engine that
/// cannot run the subject or computes wrong results is `kEnvironment`.
Result<std::vector<RowPairs>> pairs_of_builds(const PairedSubject& subject,
                                              const CommitBuild& before, const CommitBuild& after,
                                              int pairs, uint64_t seed, const RunHooks& hooks);

}  // namespace opbench
