#include "verdict_trials.h"

#include <fmt/format.h>

#include "opbench/measure/statistics.h"

namespace opbench {
namespace {

bool is_difference(const std::optional<Verdict>& verdict) {
  return verdict == Verdict::kSlower || verdict == Verdict::kFaster;
}

void add(const VerdictTrial& trial, const std::string& changed, VerdictCounts& counts) {
  bool is_false = false;
  for (const CompareUnit& unit : trial.units) {
    if (!unit.verdict) continue;
    if (unit.ratio) {
      counts.half_width_percent.push_back(50 * (unit.ratio->high - unit.ratio->low));
    }
    if (!changed.empty() && unit.workload == changed) {
      counts.found += unit.verdict == Verdict::kSlower ? 1 : 0;
      counts.changed_same += unit.verdict == Verdict::kSame ? 1 : 0;
      counts.changed_inconclusive += unit.verdict == Verdict::kInconclusive ? 1 : 0;
      continue;
    }
    ++counts.units;
    counts.inconclusive += unit.verdict == Verdict::kInconclusive ? 1 : 0;
    is_false = is_false || is_difference(unit.verdict);
  }
  ++counts.trials;
  counts.with_false_unit += is_false ? 1 : 0;
  counts.false_models += changed.empty() && is_difference(trial.model.verdict) ? 1 : 0;
  counts.spent_s += trial.spent_s;
}

}  // namespace

Result<VerdictCounts> count_verdicts(const VerdictTrialMaker& make, int64_t trials, uint64_t seed,
                                     const std::string& changed) {
  VerdictCounts counts;
  for (int64_t i = 0; i < trials; ++i) {
    OPBENCH_TRY(const VerdictTrial trial, make(seed + static_cast<uint64_t>(i)));
    add(trial, changed, counts);
  }
  return counts;
}

double share_of(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string text_of(const VerdictCounts& counts, bool is_changed) {
  std::string text = fmt::format(
      "{} of {} comparisons with a false verdict on a unit; {:.1f} % of units inconclusive, median "
      "half-width {:.2f} %, {:.0f} s each",
      counts.with_false_unit, counts.trials, 100 * share_of(counts.inconclusive, counts.units),
      median(counts.half_width_percent),
      counts.trials > 0 ? counts.spent_s / static_cast<double>(counts.trials) : 0);
  if (is_changed) {
    text += fmt::format("; the slow unit: {} slower, {} inconclusive, {} same", counts.found,
                        counts.changed_inconclusive, counts.changed_same);
  }
  return text;
}

}  // namespace opbench
