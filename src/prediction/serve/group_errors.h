#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "prediction/serve/group_methods.h"

namespace opbench {

/// How far a method is off, over groups that it has not learnt from.
struct GroupErrors {
  std::string method;
  size_t groups = 0;
  double mean_error = 0;  ///< |predicted / measured - 1|
  double median_error = 0;
  double worst_error = 0;
  /// Groups where `max` is off by more than twice the noise, and the mean error there: what the
  /// method is needed for.
  size_t slowed_groups = 0;
  double slowed_error = 0;
};

struct GroupJudgement {
  std::vector<GroupErrors> errors;  ///< plain methods, linear, trees
  double noise_floor = 0;           ///< mean relative standard error of what was measured
};

/// What no method can be asked to beat: the mean of the samples' errors.
double noise_floor_of(const std::vector<GroupSample>& groups);

/// Cuts the groups into folds by the seed; methods learn from the others and are judged on each.
/// `kInvalidInput` for fewer groups than folds, fewer than two folds, or a sample whose ends are
/// missing or not above 0. Errors of fit_group_methods.
Result<GroupJudgement> judge_group_methods(const std::vector<GroupSample>& groups,
                                           double bytes_per_ms, int folds = 5, uint64_t seed = 0);

/// The same where a method that predicts a group has seen none of its segments: for each group it
/// learns from the groups that share no segment with it. Groups for which nothing is left are left
/// out. `kInvalidInput` also where segments are not numbered, or no group can be judged.
Result<GroupJudgement> judge_on_unseen_segments(const std::vector<GroupSample>& groups,
                                                double bytes_per_ms);

/// The same for methods that learn from `known` and are judged on `unseen`, for instance triples.
Result<GroupJudgement> judge_on_unseen(const std::vector<GroupSample>& known,
                                       const std::vector<GroupSample>& unseen, double bytes_per_ms);

}  // namespace opbench
