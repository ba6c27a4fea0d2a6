#include "watching/bisect/bisect_search.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "watching/bisect/pair_noise.h"

namespace opbench {
namespace {

constexpr double kSureOfEnds = 6;   // standard errors that the ends' effect is away from none
constexpr double kLeastOfEnds = 3;  // and, with the luck of layouts, what it must be away at last
constexpr double kBetween = 3;      // standard errors from both ends
constexpr double kDirectShare = 4;  // the interval of the direct pairs is this part of the effect

double squared(double value) { return value * value; }

/// What the pairs of the ends say.
struct Ends {
  double noise = 0;     ///< standard deviation of a pair
  double effect = 0;    ///< ln(bad / good)
  double variance = 0;  ///< of the effect, that of pairs alone
};

Ends ends_of(const BisectState& state) {
  std::vector<std::span<const double>> sets;
  for (const BisectCommit& commit : state.commits) sets.emplace_back(commit.log_ratios);
  sets.emplace_back(state.direct.log_ratios);
  const double noise = pair_noise(sets);
  const std::vector<double>& pairs = state.commits.back().log_ratios;
  if (pairs.empty()) return {.noise = noise};
  return {noise, clipped_mean(pairs, noise), squared(noise) / static_cast<double>(pairs.size())};
}

bool is_open_for_ends(const BisectState& state, const Ends& ends) {
  const auto count = std::ssize(state.commits.back().log_ratios);
  if (count < state.rule.end_pairs) return true;
  if (count >= state.rule.most_pairs) return false;
  return std::abs(ends.effect) < kSureOfEnds * std::sqrt(ends.variance);
}

bool has_effect(const BisectState& state, const Ends& ends) {
  const double variance = ends.variance + 2 * squared(state.rule.layout_sd);
  return std::abs(ends.effect) >= kLeastOfEnds * std::sqrt(variance);
}

CommitSide judged_side(const BisectState& state, const Ends& ends, size_t at) {
  const BisectCommit& commit = state.commits[at];
  if (at == 0) return CommitSide::kOld;
  if (at + 1 == state.commits.size()) return CommitSide::kNew;
  if (!commit.skipped.empty()) return CommitSide::kSkipped;
  const auto count = static_cast<int>(std::ssize(commit.log_ratios));
  if (count < state.rule.first_pairs) return CommitSide::kOpen;
  // The commit's own layout, and the middle between ends that are known as well as this.
  const double variance =
      squared(ends.noise) / count + 1.5 * squared(state.rule.layout_sd) + ends.variance / 4;
  const double centre = clipped_mean(commit.log_ratios, ends.noise);
  const double evidence = ends.effect * (centre - ends.effect / 2) / variance;
  const double bound = std::log((1 - state.rule.error) / state.rule.error);
  if (evidence >= bound) return CommitSide::kNew;
  if (evidence <= -bound) return CommitSide::kOld;
  return count >= state.rule.most_pairs ? CommitSide::kUnknown : CommitSide::kOpen;
}

/// The commits that are still in question.
struct OpenRange {
  size_t last_old = 0, first_new = 0;
  std::optional<size_t> next;  ///< the open commit nearest to the middle
};

OpenRange range_of(const BisectState& state, const Ends& ends) {
  OpenRange range{.last_old = 0, .first_new = state.commits.size() - 1};
  std::vector<CommitSide> sides;
  for (size_t at = 0; at < state.commits.size(); ++at)
    sides.push_back(judged_side(state, ends, at));
  // A later look at an old commit may contradict: what is nearest to the good end decides.
  for (size_t at = 1; at < sides.size(); ++at) {
    if (sides[at] != CommitSide::kNew) continue;
    range.first_new = at;
    break;
  }
  for (size_t at = range.first_new; at-- > 0;) {
    if (sides[at] != CommitSide::kOld) continue;
    range.last_old = at;
    break;
  }
  const auto distance = [&](size_t at) {
    return std::abs(2 * static_cast<int64_t>(at) -
                    static_cast<int64_t>(range.last_old + range.first_new));
  };
  for (size_t at = range.last_old + 1; at < range.first_new; ++at) {
    if (sides[at] != CommitSide::kOpen) continue;
    if (!range.next || distance(at) < distance(*range.next)) range.next = at;
  }
  // A commit that has begun is judged before another one is touched.
  for (size_t at = range.last_old + 1; at < range.first_new; ++at) {
    if (sides[at] == CommitSide::kOpen && !state.commits[at].log_ratios.empty()) range.next = at;
  }
  return range;
}

/// The pairs of the two commits side by side.
const std::vector<double>& direct_ratios(const BisectState& state, const OpenRange& range) {
  static const std::vector<double> none;
  if (range.last_old == 0) return state.commits[range.first_new].log_ratios;
  const DirectPairs& direct = state.direct;
  const bool is_same = direct.before == range.last_old && direct.after == range.first_new;
  return is_same ? direct.log_ratios : none;
}

std::optional<int> direct_pairs_wanted(const BisectState& state, const Ends& ends,
                                       const OpenRange& range) {
  const BisectRule& rule = state.rule;
  if (rule.direct_pairs <= 0) return std::nullopt;
  const auto count = static_cast<int>(std::ssize(direct_ratios(state, range)));
  if (count < rule.direct_pairs) return rule.direct_pairs - count;
  if (count >= rule.most_pairs) return std::nullopt;
  const double half_width = student_quantile(count) * ends.noise / std::sqrt(count);
  if (half_width <= std::abs(ends.effect) / kDirectShare) return std::nullopt;
  return std::min(rule.direct_pairs, rule.most_pairs - count);
}

Estimate estimate_of_pairs(std::span<const double> ratios, double noise) {
  if (ratios.empty()) return {};
  const auto count = static_cast<double>(ratios.size());
  const double centre = clipped_mean(ratios, noise);
  const double error = noise / std::sqrt(count);
  const double half = student_quantile(std::max(1.0, count - 1)) * error;
  return {.value = centre,
          .interval = {centre - half, centre + half},
          .error = error,
          .degrees = std::max(1.0, count - 1)};
}

bool is_between(const BisectState& state, const Ends& ends, size_t at) {
  const std::vector<double>& ratios = state.commits[at].log_ratios;
  if (ratios.empty()) return false;
  const double variance = squared(ends.noise) / static_cast<double>(ratios.size()) +
                          2 * squared(state.rule.layout_sd) + ends.variance;
  const double centre = clipped_mean(ratios, ends.noise);
  const double nearest = std::min(std::abs(centre), std::abs(centre - ends.effect));
  const bool is_inside = centre * ends.effect > 0 && std::abs(centre) < std::abs(ends.effect);
  return is_inside && nearest > kBetween * std::sqrt(variance);
}

BisectOutcome outcome_of(const BisectState& state, const Ends& ends, const BisectAnswer& answer) {
  if (next_step(state)) return BisectOutcome::kOpen;
  if (!has_effect(state, ends)) return BisectOutcome::kNoEffect;
  if (answer.effect) {
    const double sign = ends.effect < 0 ? -1 : 1;
    const Interval& interval = answer.effect->interval;
    const double least = sign > 0 ? interval.low : -interval.high;
    if (least <= 0) return BisectOutcome::kUnsure;
  }
  return answer.first_new - answer.last_old == 1 ? BisectOutcome::kFound : BisectOutcome::kRange;
}

}  // namespace

CommitSide side_of(const BisectState& state, size_t commit) {
  return judged_side(state, ends_of(state), commit);
}

std::optional<BisectStep> next_step(const BisectState& state) {
  const Ends ends = ends_of(state);
  const size_t last = state.commits.size() - 1;
  if (!state.commits.front().skipped.empty() || !state.commits.back().skipped.empty()) return {};
  const auto taken = static_cast<int>(std::ssize(state.commits.back().log_ratios));
  if (is_open_for_ends(state, ends)) {
    const int wanted = taken < state.rule.end_pairs ? state.rule.end_pairs - taken : taken;
    return BisectStep{0, last, std::min(wanted, state.rule.most_pairs - taken)};
  }
  if (!has_effect(state, ends)) return {};
  const OpenRange range = range_of(state, ends);
  if (range.next) {
    const auto count = static_cast<int>(std::ssize(state.commits[*range.next].log_ratios));
    const int wanted =
        count < state.rule.first_pairs ? state.rule.first_pairs - count : state.rule.step_pairs;
    return BisectStep{0, *range.next, wanted};
  }
  if (const auto pairs = direct_pairs_wanted(state, ends, range)) {
    return BisectStep{range.last_old, range.first_new, *pairs};
  }
  return {};
}

void add_pairs(const BisectStep& step, const std::vector<double>& log_ratios, BisectState& state) {
  std::vector<double>* ratios = &state.commits[step.after].log_ratios;
  if (step.before != 0) {
    if (state.direct.before != step.before || state.direct.after != step.after) {
      state.direct = {.before = step.before, .after = step.after};
    }
    ratios = &state.direct.log_ratios;
  }
  ratios->insert(ratios->end(), log_ratios.begin(), log_ratios.end());
}

BisectAnswer answer_of(const BisectState& state) {
  const Ends ends = ends_of(state);
  const OpenRange range = range_of(state, ends);
  BisectAnswer answer{.last_old = range.last_old, .first_new = range.first_new};
  answer.ends = estimate_of_pairs(state.commits.back().log_ratios, ends.noise);
  const std::vector<double>& direct = direct_ratios(state, range);
  if (!direct.empty() && !range.next) answer.effect = estimate_of_pairs(direct, ends.noise);
  answer.pairs = std::ssize(state.direct.log_ratios);
  for (size_t at = 0; at < state.commits.size(); ++at) {
    answer.pairs += std::ssize(state.commits[at].log_ratios);
    const CommitSide side = judged_side(state, ends, at);
    if (side == CommitSide::kSkipped) answer.skipped.push_back(at);
    if (side != CommitSide::kUnknown) continue;
    answer.unknown.push_back(at);
    if (is_between(state, ends, at)) answer.between.push_back(at);
  }
  answer.outcome = outcome_of(state, ends, answer);
  return answer;
}

double share_of_effect(const BisectAnswer& answer) {
  if (!answer.effect || answer.ends.value == 0) return 1;
  return answer.effect->value / answer.ends.value;
}

int most_builds(size_t commits) {
  int builds = 2;
  for (size_t left = commits - 1; left > 1; left = (left + 1) / 2) ++builds;
  return builds;
}

}  // namespace opbench
