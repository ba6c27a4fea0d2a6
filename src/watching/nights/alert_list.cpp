#include "watching/nights/alert_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "watching/nights/pair_queue.h"

namespace opbench {
namespace {

constexpr double kNightsZ = 1.96;  ///< of an interval that nights give

AlertRow alert_row_of(const WatchState& state, const Question& question) {
  AlertRow row{.series = state.series[static_cast<size_t>(question.row)].id,
               .log_ratio = question.step.size,
               .low = question.step.size - kNightsZ * question.step.sd,
               .high = question.step.size + kNightsZ * question.step.sd,
               .z = question.step.z};
  const bool is_measured =
      question.state == QuestionState::kChanged || question.state == QuestionState::kUnknown;
  if (is_measured) {
    row.log_ratio = question.size.center;
    row.low = question.size.low;
    row.high = question.size.high;
    row.pairs = question.pairs;
  }
  return row;
}

/// Whether nobody could clear a suspicion up.
bool is_still_suspected(const Question& question, double sure) {
  if (question.state == QuestionState::kUnknown) {
    return question.size.low > 0 || question.size.high < 0;
  }
  const bool is_open =
      question.state == QuestionState::kOpen || question.state == QuestionState::kFailed;
  return is_open && question.is_suspected && question.step.z >= sure;
}

std::string why_suspected(const Question& question, bool has_pairs) {
  if (question.state == QuestionState::kFailed) return question.failure;
  if (question.state == QuestionState::kUnknown) {
    return fmt::format("{} pairs could not tell", question.pairs);
  }
  return has_pairs ? "no paired run was left for it" : "there are no paired runs";
}

CommitRange range_of(const WatchState& state, const QuestionGroup& group) {
  const MeasuredNight& good = state.nights[static_cast<size_t>(group.good)];
  const MeasuredNight& bad = state.nights[static_cast<size_t>(group.bad)];
  CommitRange range{.good_night = good.index,
                    .bad_night = bad.index,
                    .good_date = good.date,
                    .bad_date = bad.date};
  for (int i = group.good + 1; i <= group.bad; ++i) {
    const auto& commits = state.nights[static_cast<size_t>(i)].commits;
    range.commits.insert(range.commits.end(), commits.begin(), commits.end());
  }
  return range;
}

void sort_rows(std::vector<AlertRow>& rows) {
  std::ranges::stable_sort(rows, [](const AlertRow& a, const AlertRow& b) {
    if ((a.pairs > 0) != (b.pairs > 0)) return a.pairs > 0;
    return std::abs(a.log_ratio) > std::abs(b.log_ratio);
  });
}

}  // namespace

RegressReport report_of(const WatchState& state, const WatchOptions& options, bool has_pairs) {
  RegressReport report{.detector = options.detector,
                       .nights = std::ssize(state.nights),
                       .series = std::ssize(state.series),
                       .rows = state.measured_rows,
                       .has_pairs = has_pairs,
                       .paired_runs = state.paired_runs,
                       .pairs = state.pairs,
                       .notes = state.notes};
  if (!state.nights.empty()) {
    report.last_night = state.nights.back().index;
    report.last_date = state.nights.back().date;
  }
  const auto detector = detector_table().find(options.detector);
  for (const QuestionGroup& group : state.groups) {
    Alert alert{.engine = group.engine, .range = range_of(state, group)};
    alert.id = fmt::format("{}@{}-{}", group.engine, alert.range.good_night, alert.range.bad_night);
    alert.reported_night = state.nights[static_cast<size_t>(group.reported)].index;
    const auto index_of = [&](std::optional<int> place) {
      return place ? std::optional(state.nights[static_cast<size_t>(*place)].index) : std::nullopt;
    };
    alert.confirmed_night = index_of(group.confirmed);
    alert.settled_night = index_of(group.settled);
    if (group.confirmed) alert.state = AlertState::kConfirmed;
    if (group.settled) alert.state = AlertState::kSettled;
    for (const int i : group.questions) {
      const Question& question = state.questions[static_cast<size_t>(i)];
      if (group.confirmed ? !is_confirmed(state, options, question)
                          : !is_still_suspected(question, (*detector)->sure)) {
        continue;
      }
      alert.rows.push_back(alert_row_of(state, question));
      if (!group.confirmed) alert.why_suspected = why_suspected(question, has_pairs);
    }
    if (alert.rows.empty()) continue;
    sort_rows(alert.rows);
    report.alerts.push_back(std::move(alert));
  }
  return report;
}

}  // namespace opbench
