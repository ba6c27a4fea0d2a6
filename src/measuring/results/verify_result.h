#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/unit_error.h"

namespace opbench {

/// What became of one case on one engine.
enum class CaseOutcome {
  kPassed,
  kUnsupported,  ///< the engine, or our reader, does not know something in the model
  kWrong,        ///< it gave another result than the expected one, or none at all
};

/// `passed`, `unsupported`, `wrong`
inline const char* name_of(CaseOutcome outcome) {
  if (outcome == CaseOutcome::kPassed) return "passed";
  return outcome == CaseOutcome::kWrong ? "wrong" : "unsupported";
}

struct CaseResult {
  std::string name;
  std::string engine;
  CaseOutcome outcome = CaseOutcome::kPassed;
  std::optional<double> max_relative_error;  ///< of the worst output; nothing: not compared
  std::string reason;                        ///< of another outcome than passed
  std::vector<UnitError> errors = {};        ///< in execution order; empty: not asked for
  std::string no_errors_reason = {};         ///< why there are none, where they were asked for
};

struct VerifyResult {
  std::vector<CaseResult> cases;  ///< engine by engine within a case

  size_t count(CaseOutcome outcome) const {
    size_t count = 0;
    for (const CaseResult& result : cases) count += result.outcome == outcome ? 1 : 0;
    return count;
  }
};

}  // namespace opbench
