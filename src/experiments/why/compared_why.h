#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "experiments/sessions/session.h"
#include "experiments/why/why_evidence.h"
#include "measuring/results/compare_result.h"

namespace opbench {

/// Collects what is known of the sides of a comparison, then explains their times.
class ComparedWhy {
 public:
  /// Looks at a session whose variants are these sides. Errors of facts_of_run.
  Result<void> look(Session& session, const std::vector<size_t>& sides);

  /// Every unit with a time on both sides of a pair, of all pairs. Units that differ most over all
  /// occurrences come first. Sides that another build of OpBench prepared have no explanation.
  WhyReport report(const CompareResult& result) const;

 private:
  void add(const Comparison& pair, const CompareResult& result, WhyReport& report) const;

  std::map<size_t, RunFacts> facts_;  ///< by side
  std::set<size_t> on_devices_;       ///< sides whose times nobody explains
  std::set<size_t> emulated_;         ///< the same
};

}  // namespace opbench
