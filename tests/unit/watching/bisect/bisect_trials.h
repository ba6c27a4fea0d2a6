#pragma once

#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "watching/bisect/bisect_search.h"

namespace opbench {

/// A range of commits of which one changed the time.
struct TrueRange {
  size_t culprit = 1;              ///< position of the first commit with the effect
  double effect = 0;               ///< ln(after / before)
  double noise = 0;                ///< standard deviation of a pair
  std::vector<double> luck;        ///< by commit: what its layout adds
  std::vector<bool> is_buildable;  ///< by commit
};

/// Commits that all build, without luck.
inline TrueRange plain_range(size_t commits, size_t culprit, double effect, double noise) {
  return {culprit, effect, noise, std::vector<double>(commits), std::vector<bool>(commits, true)};
}

/// As plain_range, with layouts that differ by 0.2 % and, behind 7 % of the commits, one to three
/// that do not build.
inline TrueRange drawn_range(size_t commits, double effect, double noise, Random& random) {
  TrueRange range = plain_range(commits, 1 + random.below(commits - 1), effect, noise);
  for (double& luck : range.luck) luck = 0.002 * static_cast<double>(random.normal());
  for (size_t at = 1; at + 1 < commits; ++at) {
    if (random.uniform() >= 0.07) continue;
    const size_t end = std::min(commits - 1, at + 1 + random.below(3));
    for (; at < end; ++at) range.is_buildable[at] = false;
  }
  return range;
}

inline double true_log_time(const TrueRange& range, size_t at) {
  return (at >= range.culprit ? range.effect : 0) + range.luck[at];
}

inline BisectState begun(size_t commits, const BisectRule& rule = {}) {
  BisectState state{.rule = rule, .commits = std::vector<BisectCommit>(commits)};
  for (size_t at = 0; at < commits; ++at) state.commits[at].id = "c" + std::to_string(at);
  return state;
}

/// Plays the machine for one step.
inline void take_step(const BisectStep& step, const TrueRange& range, Random& random,
                      BisectState& state) {
  for (const size_t at : {step.before, step.after}) {
    if (range.is_buildable[at]) continue;
    state.commits[at].skipped = "does not build";
    return;
  }
  const double centre = true_log_time(range, step.after) - true_log_time(range, step.before);
  std::vector<double> ratios;
  for (int pair = 0; pair < step.pairs; ++pair) {
    ratios.push_back(centre + range.noise * static_cast<double>(random.normal()));
  }
  add_pairs(step, ratios, state);
}

/// The whole bisection.
inline BisectState bisected(const TrueRange& range, Random& random, const BisectRule& rule = {}) {
  BisectState state = begun(range.luck.size(), rule);
  while (const auto step = next_step(state)) take_step(*step, range, random, state);
  return state;
}

}  // namespace opbench
