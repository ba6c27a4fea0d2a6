#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/statistics.h"
#include "watching/bisect/bisect_state.h"

namespace opbench {

/// What to measure next: pairs of two commits' builds.
struct BisectStep {
  size_t before = 0, after = 0;  ///< positions among the commits
  int pairs = 1;                 ///< to take at least; more do not harm
  bool operator==(const BisectStep&) const = default;
};

/// Which end a commit's build is nearer to.
enum class CommitSide { kOpen, kOld, kNew, kUnknown, kSkipped };

/// The sequential probability ratio test (Wald 1945) of "as the good end" against "as the bad end".
/// The ends' effect is that of their pairs. The variance holds the noise of the pairs, that of the
/// effect, and how far builds of the same code differ. A commit is unknown when
/// `rule.most_pairs` do not decide it. The ends themselves are old and new.
CommitSide side_of(const BisectState& state, size_t commit);

/// Pairs of the ends first, until their effect is known to a sixth, then of the commit nearest to
/// the middle of the range that is still open, last of the two commits that are left. Nothing: the
/// bisection is done. The state has two commits or more.
std::optional<BisectStep> next_step(const BisectState& state);

/// Adds what a step found, ln(after / before) of each pair.
void add_pairs(const BisectStep& step, const std::vector<double>& log_ratios, BisectState& state);

enum class BisectOutcome {
  kOpen,      ///< not done yet
  kNoEffect,  ///< the ends do not differ by more than builds of the same code do
  kFound,     ///< one commit
  kRange,     ///< several: those between cannot be measured or told
  kUnsure,    ///< the culprit and the commit before it do not differ, measured side by side
};

struct BisectAnswer {
  BisectOutcome outcome = BisectOutcome::kOpen;
  size_t last_old = 0,
         first_new = 0;            ///< the culprit is behind the first and not behind the second
  Estimate ends;                   ///< ln(bad / good)
  std::optional<Estimate> effect;  ///< ln(first_new / last_old), measured side by side
  int64_t pairs = 0;               ///< taken in all
  std::vector<size_t> skipped, unknown;
  /// Of the unknown ones those that differ from both ends, as where several commits have a part of
  /// the effect.
  std::vector<size_t> between;
  bool operator==(const BisectAnswer&) const;
};

/// What is known so far.
BisectAnswer answer_of(const BisectState& state);

/// The share of the ends' effect that the culprit has; 1 where either is not known.
double share_of_effect(const BisectAnswer& answer);

/// Builds that a bisection of so many commits makes at most where every commit builds.
int most_builds(size_t commits);

}  // namespace opbench
