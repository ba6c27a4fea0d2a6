#include "benchmarks/verdicts/verdict_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr double kQuietVariation = 0.005;

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
    if (!changed.empty() && workload_text(unit.identity) == changed) {
      counts.found += unit.verdict == Verdict::kSlower ? 1 : 0;
      counts.changed_same += unit.verdict == Verdict::kSame ? 1 : 0;
      counts.changed_inconclusive += unit.verdict == Verdict::kInconclusive ? 1 : 0;
      if (unit.base && unit.base->cv <= kQuietVariation) {
        ++counts.changed_quiet;
        counts.found_quiet += unit.verdict == Verdict::kSlower ? 1 : 0;
      }
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
  while (counts.trials < trials) {
    const uint64_t number = seed + static_cast<uint64_t>(counts.comparisons++);
    OPBENCH_TRY(const std::vector<VerdictTrial> made, make(number));
    for (const VerdictTrial& trial : made) add(trial, changed, counts);
  }
  return counts;
}

JudgedRatio welch_test(const std::vector<double>& base, const std::vector<double>& changed,
                       double margin) {
  const auto variance = [](const std::vector<double>& values) {
    return std::pow(standard_deviation(values), 2) / static_cast<double>(values.size());
  };
  const double a = variance(base);
  const double b = variance(changed);
  const auto n = static_cast<double>(base.size());
  const double degrees = std::pow(a + b, 2) / ((a * a + b * b) / (n - 1));
  const double difference = mean(changed) - mean(base);
  const double error = std::sqrt(a + b);
  const double p = 2 * student_cdf(-std::abs(difference) / error, degrees);
  const double half = student_critical(0.025, degrees) * error / mean(base);
  const double ratio = 1 + difference / mean(base);
  JudgedRatio result{.ratio = {ratio, ratio - half, ratio + half}};
  const bool is_difference = p < 0.05 && std::abs(ratio - 1) > margin;
  result.verdict = !is_difference ? Verdict::kSame
                   : ratio > 1    ? Verdict::kSlower
                                  : Verdict::kFaster;
  return result;
}

double share_of(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string text_of(const VerdictCounts& counts, bool is_changed) {
  const std::string judgings = counts.trials == counts.comparisons
                                   ? "comparisons"
                                   : fmt::format("judgings of {} comparisons", counts.comparisons);
  std::string text = fmt::format(
      "{} of {} {} with a false verdict on a unit; {:.1f} % of units inconclusive, median "
      "half-width {:.2f} %, {:.0f} s a comparison",
      counts.with_false_unit, counts.trials, judgings,
      100 * share_of(counts.inconclusive, counts.units), median(counts.half_width_percent),
      counts.spent_s / static_cast<double>(std::max<int64_t>(counts.comparisons, 1)));
  if (is_changed) {
    text += fmt::format("; the slow unit: {} slower, {} inconclusive, {} same", counts.found,
                        counts.changed_inconclusive, counts.changed_same);
  }
  return text;
}

}  // namespace opbench
