#include "watching/nights/pair_ladder.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "measuring/results/statistics.h"

namespace opbench {

PairedSize hodges_lehmann(std::span<const double> values, double z) {
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = i; j < values.size(); ++j) means.push_back((values[i] + values[j]) / 2);
  }
  const auto n = static_cast<double>(values.size());
  const double half = n * (n + 1) / 4 - z * std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  PairedSize size;
  const auto last = static_cast<std::ptrdiff_t>(means.size()) - 1;
  const auto rank =
      std::min(last / 2, static_cast<std::ptrdiff_t>(std::max(0.0, std::floor(half))));
  std::nth_element(means.begin(), means.begin() + rank, means.end());
  size.low = means[static_cast<size_t>(rank)];
  std::nth_element(means.begin(), means.begin() + (last - rank), means.end());
  size.high = means[static_cast<size_t>(last - rank)];
  size.center = median(means);
  return size;
}

namespace {

constexpr int64_t kFirstForecast = 40;  ///< pairs from which on the interval's width is known

/// Whether the interval of all pairs would still lie neither beyond nor within the margin: its
/// width falls with the root of their number.
bool is_hopeless(const LadderResult& result, const LadderOptions& options) {
  if (result.pairs < kFirstForecast) return false;
  const double shrinks = std::sqrt(static_cast<double>(result.pairs) / options.most_pairs);
  const double half = (result.size.high - result.size.low) / 2 * shrinks;
  const double center = std::abs(result.size.center);
  return half + center > 1.5 * options.margin && center - half < 0.5 * options.margin;
}

}  // namespace

Result<LadderResult> climb(const PairSource& source, PairedQuestion question,
                           const LadderOptions& options) {
  LadderResult result;
  std::vector<double> log_ratios;
  while (result.pairs < options.most_pairs) {
    question.pairs =
        result.pairs == 0 ? options.first_pairs : static_cast<int>(result.pairs);  // doubled
    OPBENCH_TRY(const PairedAnswer answer, source(question));
    ++question.call;
    ++result.calls;
    if (!answer.failure.empty() || answer.log_ratios.empty()) {
      result.verdict = PairedVerdict::kFailed;
      result.failure = answer.failure.empty() ? "no pair was measured" : answer.failure;
      return result;
    }
    log_ratios.insert(log_ratios.end(), answer.log_ratios.begin(), answer.log_ratios.end());
    result.pairs = static_cast<int64_t>(log_ratios.size());
    result.size = hodges_lehmann(log_ratios, options.z);
    const bool is_beyond =
        (result.size.low > options.margin || result.size.high < -options.margin) &&
        std::abs(result.size.center) >= options.clearly * options.margin;
    if (is_beyond) result.verdict = PairedVerdict::kChanged;
    const bool is_within = result.size.low >= -options.margin && result.size.high <= options.margin;
    if (is_within) result.verdict = PairedVerdict::kSame;
    if (is_beyond || is_within || is_hopeless(result, options)) return result;
  }
  return result;
}

}  // namespace opbench
