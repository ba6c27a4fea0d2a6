#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace opbench {

/// A commit of the range, and what is known of its build.
struct BisectCommit {
  std::string id;
  std::string subject;             ///< the first line of its message; may be empty
  std::vector<double> log_ratios;  ///< ln(time of its build / time of the good end's), one a pair
  std::string skipped;             ///< why its build cannot be measured; empty: it can
  bool operator==(const BisectCommit&) const = default;
};

/// How sure a bisection is to be, and what it may cost.
struct BisectRule {
  int end_pairs = 40;        ///< of the two ends at first
  int first_pairs = 4;       ///< of a commit before it may be judged
  int step_pairs = 1;        ///< of a commit that is not judged yet, at a time
  int most_pairs = 160;      ///< of a commit; then it stays unknown
  int direct_pairs = 20;     ///< of the culprit beside the commit before it, at first; 0: none
  double error = 2e-3;       ///< chance of a wrong answer on a commit
  double layout_sd = 0.002;  ///< builds of the same code differ by so much without a reason
  bool operator==(const BisectRule&) const = default;
};

/// Pairs of two commits neither of which is the good end.
struct DirectPairs {
  size_t before = 0, after = 0;    ///< positions among the commits
  std::vector<double> log_ratios;  ///< ln(after / before)
  bool operator==(const DirectPairs&) const = default;
};

/// All that a bisection has found out. The next step follows from it alone, so that a state which
/// was saved after each step is all that a resumed bisection needs.
struct BisectState {
  BisectRule rule;
  std::vector<BisectCommit> commits;  ///< in their order: the good end first, the bad one last
  DirectPairs direct;
  bool operator==(const BisectState&) const = default;
};

}  // namespace opbench
