#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

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
