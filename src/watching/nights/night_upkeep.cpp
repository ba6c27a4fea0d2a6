#include "watching/nights/night_upkeep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr int kExpectedNights = 3;   ///< a row of one of them is expected tonight
constexpr double kWholeNight = 0.8;  ///< of the expected rows
constexpr size_t kFewestSuspects = 8;
constexpr double kSmallestOverlap = 0.2;
constexpr size_t kBeforeNights = 20;

int last_place(const WatchState& state) { return static_cast<int>(state.nights.size()) - 1; }

/// ln(new / old) between the nights before a point and all since then.
double lasting_size(const WatchedRow& row, size_t at) {
  std::vector<double> before, after;
  for (size_t i = at > kBeforeNights ? at - kBeforeNights : 0; i < at; ++i) {
    before.push_back(row.points[i].level);
  }
  for (size_t i = at; i < row.points.size(); ++i) after.push_back(row.points[i].level);
  return median(after) - median(before);
}

bool lasts(const WatchState& state, const QuestionGroup& group) {
  return std::ranges::any_of(group.questions, [&](int i) {
    const Question& question = state.questions[static_cast<size_t>(i)];
    if (question.state != QuestionState::kChanged) return false;
    const double size = lasting_size(state.rows[static_cast<size_t>(question.row)], question.at);
    return size * question.size.center > 0 && std::abs(size) >= std::abs(question.size.center) / 2;
  });
}

/// Whether it is missing where it has no result: no other row has its nodes, or its place.
bool is_wanted(const WatchState& state, size_t row) {
  return !state.rows[row].is_replaced && !state.rows[row].is_regrouped &&
         !state.series[row].is_frozen;
}

}  // namespace

void count_missing(WatchState& state) {
  if (state.nights.back().is_filled) return;  // what was not suspected was not measured
  const int now = last_place(state);
  size_t expected = 0, found = 0;
  for (size_t i = 0; i < state.rows.size(); ++i) {
    const WatchedRow& row = state.rows[i];
    if (!is_wanted(state, i) || row.points.empty()) continue;
    const int last = row.points.back().night;
    const bool is_expected = row.points.size() > 1 && now - last <= kExpectedNights;
    expected += is_expected;
    found += is_expected && last == now;
  }
  MeasuredNight& night = state.nights.back();
  night.is_partial = static_cast<double>(found) < kWholeNight * static_cast<double>(expected);
  if (night.is_partial) {
    state.notes.push_back(fmt::format("{}: a partial night, {} of {} results",
                                      night.date.empty() ? std::to_string(night.index) : night.date,
                                      found, expected));
    return;
  }
  for (size_t i = 0; i < state.rows.size(); ++i) {
    WatchedRow& row = state.rows[i];
    if (row.is_replaced || row.is_regrouped) row.missing_nights = 0;
    if (!is_wanted(state, i) || row.points.size() < 2 || row.points.back().night == now) continue;
    if (row.missing_nights == 0) row.missing_since = now;
    ++row.missing_nights;
  }
}

void judge_noise(WatchState& state) {
  const int now = last_place(state);
  size_t both = 0, any = 0;
  for (size_t i = state.questions.size(); i-- > 0;) {
    const Question& question = state.questions[i];
    if (question.opened + 2 * kExpectedNights < now) break;
    if (question.seen != now || question.opened == now) continue;
    both += question.is_suspected && question.was_suspected;
    any += question.is_suspected || question.was_suspected;
  }
  if (any < kFewestSuspects) return;
  const double overlap = static_cast<double>(both) / static_cast<double>(any);
  state.noisy_nights = overlap < kSmallestOverlap ? state.noisy_nights + 1 : 0;
}

void settle_groups(WatchState& state, const WatchOptions& options) {
  const int now = last_place(state);
  for (QuestionGroup& group : state.groups) {
    if (!group.confirmed || group.settled || now - group.bad != options.settled_nights) continue;
    if (lasts(state, group)) {
      group.settled = now;
      continue;
    }
    const MeasuredNight& bad = state.nights[static_cast<size_t>(group.bad)];
    state.notes.push_back(fmt::format("{}: what was confirmed in {} did not last {} nights",
                                      bad.date.empty() ? std::to_string(bad.index) : bad.date,
                                      group.engine, options.settled_nights));
  }
}

}  // namespace opbench
