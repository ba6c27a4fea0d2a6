#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/common/benchmark.h"
#include "experiments/compare/verdict.h"
#include "measuring/results/compare_result.h"

namespace opbench {

/// The verdicts of one comparison: of engines (Comparison::units and model), or simulated.
struct VerdictTrial {
  std::vector<CompareUnit> units;  ///< those without a verdict do not count
  CompareUnit model;
  double spent_s = 0;
};

/// Makes one comparison and judges it, in one way or in more. `seed`: a different one every time.
using VerdictTrialMaker = std::function<Result<std::vector<VerdictTrial>>(uint64_t seed)>;

/// A series of comparisons, counted.
struct VerdictCounts {
  int64_t comparisons = 0;
  int64_t trials = 0;           ///< judgings of them
  int64_t with_false_unit = 0;  ///< slower or faster said of a unit that was not changed
  int64_t false_models = 0;
  int64_t units = 0, inconclusive = 0;                            ///< that were not changed
  int64_t found = 0, changed_same = 0, changed_inconclusive = 0;  ///< of the changed unit
  int64_t changed_quiet = 0, found_quiet = 0;  ///< where its times vary by 0.5 % at most
  std::vector<double> half_width_percent;      ///< of the units' ratios
  double spent_s = 0;
};

/// Makes comparisons with seeds from `seed` on until `trials` are judged. `changed`: the workload
/// of the unit whose new side was made slower; empty: none, the same code on both sides.
Result<VerdictCounts> count_verdicts(const VerdictTrialMaker& make, int64_t trials, uint64_t seed,
                                     const std::string& changed);

/// What is usual instead: Welch's test (1947) of the means of two series of times. A difference if
/// p < 5 % and it is larger than the margin, else `same`; the interval is that of the ratio.
JudgedRatio welch_test(const std::vector<double>& base, const std::vector<double>& changed,
                       double margin);

/// Part of whole, 0 for no whole.
double share_of(int64_t part, int64_t whole);

/// `3 of 200 comparisons with a false verdict, model 0; 1.2 % of units inconclusive, …`
std::string text_of(const VerdictCounts& counts, bool is_changed);

}  // namespace opbench
