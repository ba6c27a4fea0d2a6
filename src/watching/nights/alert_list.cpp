#include "watching/nights/alert_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "base/errors/suggestion.h"
#include "measuring/results/statistics.h"
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

/// Those that paired runs confirmed first, of them what became slower, then by size.
void sort_rows(std::vector<AlertRow>& rows) {
  std::ranges::stable_sort(rows, [](const AlertRow& a, const AlertRow& b) {
    if ((a.pairs > 0) != (b.pairs > 0)) return a.pairs > 0;
    if (a.pairs > 0 && (a.log_ratio > 0) != (b.log_ratio > 0)) return a.log_ratio > 0;
    return std::abs(a.log_ratio) > std::abs(b.log_ratio);
  });
}

/// Rows that are not there any more, by engine and first night without them.
void add_missing(const WatchState& state, const WatchOptions& options, RegressReport& report) {
  std::map<std::pair<std::string, int>, std::vector<size_t>> missing;
  for (size_t i = 0; i < state.rows.size(); ++i) {
    const WatchedRow& row = state.rows[i];
    if (row.missing_nights > 0) missing[{state.series[i].engine, row.missing_since}].push_back(i);
  }
  for (const auto& [key, rows] : missing) {
    const auto& [engine, since] = key;
    Alert alert{.kind = AlertKind::kMissing, .engine = engine, .cause = "no result"};
    const QuestionGroup range{.engine = engine, .good = std::max(0, since - 1), .bad = since};
    alert.range = range_of(state, range);
    alert.id = fmt::format("missing-{}@{}", engine, alert.range.bad_night);
    alert.reported_night = alert.range.bad_night;
    for (const size_t i : rows) {
      alert.rows.push_back({.series = state.series[i].id});
      if (state.rows[i].missing_nights < options.missing_nights) continue;
      alert.state = AlertState::kConfirmed;
      const int confirmed =
          std::min(since + options.missing_nights - 1, static_cast<int>(state.nights.size()) - 1);
      alert.confirmed_night = state.nights[static_cast<size_t>(confirmed)].index;
    }
    if (alert.state == AlertState::kSuspected) {
      alert.why_suspected = fmt::format("missing for {} of {} nights",
                                        state.rows[rows[0]].missing_nights, options.missing_nights);
    }
    report.alerts.push_back(std::move(alert));
  }
}

/// Two nights in a row in which other rows were suspected each time: no suspicion is worth a look.
void hold_back(const WatchState& state, RegressReport& report) {
  if (state.noisy_nights < 2) return;
  std::erase_if(report.alerts, [](const Alert& alert) {
    return alert.kind == AlertKind::kChange && alert.state == AlertState::kSuspected;
  });
  std::vector<size_t> order;
  for (size_t i = 0; i < state.rows.size(); ++i) {
    if (!state.rows[i].points.empty()) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t i) { return state.rows[i].noise; });
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < std::min(kShown, order.size()); ++i) {
    report.noisiest.push_back(fmt::format("{} ±{:.1f} % a night", state.series[order[i]].id,
                                          100 * state.rows[order[i]].noise));
  }
}

std::string cause_of(const WatchState& state, const QuestionGroup& group) {
  const MeasuredNight& bad = state.nights[static_cast<size_t>(group.bad)];
  std::string cause = state.has_hashes ? "what runs was built again" : "";
  for (int i = group.good + 1; i <= group.bad; ++i) {
    if (!state.nights[static_cast<size_t>(i)].starts_segment) continue;
    cause += fmt::format("{}a new environment or method began at {}", cause.empty() ? "" : ", and ",
                         bad.date.empty() ? std::to_string(bad.index) : bad.date);
    break;
  }
  return cause;
}

/// Without rows where nothing is left of it.
Alert alert_of_group(const WatchState& state, const WatchOptions& options,
                     const QuestionGroup& group, bool has_pairs) {
  const auto detector = detector_table().find(options.detector);
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
  alert.cause = cause_of(state, group);
  sort_rows(alert.rows);
  return alert;
}

/// What untouched code says of the machine in the last night, where it was far from usual.
std::optional<std::string> machine_note(const WatchState& state) {
  constexpr size_t kUsualNights = 10, kFewestUsual = 3;
  constexpr double kFarPct = 5;
  const MeasuredNight& last = state.nights.back();
  if (last.common_engines.empty()) return std::nullopt;
  std::vector<double> usual;
  for (size_t i = state.nights.size() - 1; i-- > 0 && usual.size() < kUsualNights;) {
    if (state.nights[i + 1].starts_segment) break;
    usual.push_back(state.nights[i].common);
  }
  if (usual.size() < kFewestUsual) return std::nullopt;
  const double percent = percent_change(last.common - median(usual));
  if (std::abs(percent) < kFarPct) return std::nullopt;
  return fmt::format(
      "{}: the whole machine was {:.0f} % {} than usual, as code that did not change shows ({}): "
      "no change is blamed for it",
      last.date.empty() ? std::to_string(last.index) : last.date, std::abs(percent),
      percent > 0 ? "slower" : "faster", join(last.common_engines));
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
    if (auto note = machine_note(state)) report.notes.push_back(*std::move(note));
  }
  for (const QuestionGroup& group : state.groups) {
    Alert alert = alert_of_group(state, options, group, has_pairs);
    if (!alert.rows.empty()) report.alerts.push_back(std::move(alert));
  }
  add_missing(state, options, report);
  hold_back(state, report);
  std::ranges::stable_sort(report.alerts, {},
                           [](const Alert& alert) { return alert.range.bad_night; });
  return report;
}

}  // namespace opbench
