#include "presentation/report/regress/bisect_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "watching/series/alert.h"

namespace opbench {
namespace {

constexpr const char* kBisectSchema = "opbench.bisect/1";

constexpr double kWholeShare = 0.75;  // of the ends' effect: a culprit with less is not alone

const char* side_word(CommitSide side) {
  switch (side) {
    case CommitSide::kOld:
      return "good";
    case CommitSide::kNew:
      return "bad";
    case CommitSide::kUnknown:
      return "unknown";
    case CommitSide::kSkipped:
      return "skipped";
    default:
      return "-";
  }
}

const char* outcome_word(BisectOutcome outcome) {
  switch (outcome) {
    case BisectOutcome::kFound:
      return "found";
    case BisectOutcome::kRange:
      return "range";
    case BisectOutcome::kUnsure:
      return "unsure";
    case BisectOutcome::kNoEffect:
      return "no_effect";
    default:
      return "open";
  }
}

/// Of a commit's pairs with the good end.
std::optional<Estimate> change_of_commit(const BisectState& state, size_t at) {
  const std::vector<double>& ratios = state.commits[at].log_ratios;
  if (ratios.size() < 2) return std::nullopt;
  const double centre = mean(ratios);
  const auto count = static_cast<double>(ratios.size());
  const double half = student_quantile(count - 1) * standard_deviation(ratios) / std::sqrt(count);
  return Estimate{.value = centre, .interval = {centre - half, centre + half}};
}

std::string commit_text(const BisectCommit& commit) {
  std::string text = short_commit(commit.id);
  return commit.subject.empty() ? text : text + " " + commit.subject;
}

int builds_of(const BisectState& state) {
  return static_cast<int>(std::ranges::count_if(state.commits, [&](const BisectCommit& commit) {
    return !commit.log_ratios.empty() || &commit == &state.commits.front();
  }));
}

std::string target_text(const BisectProgress& progress) {
  if (!progress.target) return "";
  const std::string whole = text_of(progress.target->suite_case);
  return progress.target->shapes.empty() ? whole : whole + " · " + progress.target->shapes;
}

std::string cost_text(const BisectProgress& progress, const BisectAnswer& answer) {
  std::string text =
      fmt::format("{} pairs of builds, {} builds", answer.pairs, builds_of(progress.state));
  if (!answer.skipped.empty()) text += fmt::format(", {} skipped", answer.skipped.size());
  if (!answer.unknown.empty()) text += fmt::format(", {} unknown", answer.unknown.size());
  return text;
}

std::string bisect_found_text(const BisectState& state, const BisectAnswer& answer) {
  std::string text =
      fmt::format("{} changed the time", commit_text(state.commits[answer.first_new]));
  if (!answer.effect) return text + "\n";
  text += fmt::format(" by {}\n", change_text(*answer.effect));
  const double share = share_of_effect(answer);
  if (share < kWholeShare) {
    text += fmt::format("that is a part of {} between the ends: other commits have the rest\n",
                        change_text(answer.ends));
  }
  return text;
}

std::string bisect_range_text(const BisectState& state, const BisectAnswer& answer) {
  std::string text = fmt::format("one of these {} commits changed the time by {}:\n",
                                 answer.first_new - answer.last_old, change_text(answer.ends));
  for (size_t at = answer.last_old + 1; at <= answer.first_new; ++at) {
    text += fmt::format("  {}\n", commit_text(state.commits[at]));
  }
  if (!answer.between.empty()) {
    text +=
        fmt::format("{} of them differ from both ends: several commits have a part of the change\n",
                    answer.between.size());
  }
  return text;
}

Json change_json(const std::optional<Estimate>& change) {
  if (!change) return {};
  return {{"percent", percent_change(change->value)},
          {"low_percent", percent_change(change->interval.low)},
          {"high_percent", percent_change(change->interval.high)}};
}

Json commits_json(const BisectState& state) {
  Json commits = Json::array();
  for (size_t at = 0; at < state.commits.size(); ++at) {
    const BisectCommit& commit = state.commits[at];
    Json row = {{"commit", commit.id},
                {"subject", commit.subject},
                {"side", nullptr},
                {"pairs", commit.log_ratios.size()}};
    const std::string side = side_word(side_of(state, at));
    if (side != "-") row["side"] = side;
    row["change"] = change_json(change_of_commit(state, at));
    row["skipped"] = commit.skipped.empty() ? Json() : Json(commit.skipped);
    commits.push_back(std::move(row));
  }
  return commits;
}

}  // namespace

TextTable bisect_table(const BisectProgress& progress) {
  TextTable table{.columns = {{.header = "commit"},
                              {.header = "build"},
                              {.header = "slower by", .is_right_aligned = true},
                              {.header = "from", .is_right_aligned = true},
                              {.header = "to", .is_right_aligned = true},
                              {.header = "pairs", .is_right_aligned = true},
                              {.header = "subject", .shrinks_to = 20}}};
  const BisectState& state = progress.state;
  for (size_t at = 0; at < state.commits.size(); ++at) {
    const BisectCommit& commit = state.commits[at];
    TextRow row{.cells = {short_commit(commit.id), side_word(side_of(state, at))}};
    const auto change = change_of_commit(state, at);
    const auto cell = [&](double value) {
      return change ? fmt::format("{:+.1f} %", percent_change(value)) : "-";
    };
    const Estimate shown = change.value_or(Estimate{});
    row.cells.push_back(cell(shown.value));
    row.cells.push_back(cell(shown.interval.low));
    row.cells.push_back(cell(shown.interval.high));
    row.cells.push_back(std::to_string(commit.log_ratios.size()));
    row.cells.push_back(commit.subject.empty() ? "-" : commit.subject);
    if (!commit.skipped.empty()) row.below.push_back("skipped: " + commit.skipped);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string change_text(const Estimate& log_ratio) {
  return fmt::format("{:+.1f} % ({:+.1f} … {:+.1f} %)", percent_change(log_ratio.value),
                     percent_change(log_ratio.interval.low),
                     percent_change(log_ratio.interval.high));
}

std::string bisect_summary(const BisectProgress& progress) {
  const BisectState& state = progress.state;
  const BisectAnswer answer = answer_of(state);
  std::string text = target_text(progress) + "\n";
  switch (answer.outcome) {
    case BisectOutcome::kFound:
      text += bisect_found_text(state, answer);
      break;
    case BisectOutcome::kRange:
      text += bisect_range_text(state, answer);
      break;
    case BisectOutcome::kUnsure:
      text += fmt::format("{} seemed to change the time, but beside {} it does not: {}\n",
                          commit_text(state.commits[answer.first_new]),
                          short_commit(state.commits[answer.last_old].id),
                          answer.effect ? change_text(*answer.effect) : "-");
      break;
    case BisectOutcome::kNoEffect:
      text += fmt::format("the ends do not differ by more than builds of the same code do: {}\n",
                          change_text(answer.ends));
      break;
    case BisectOutcome::kOpen:
      text += "not done yet\n";
      break;
  }
  return text + cost_text(progress, answer) + "\n";
}

std::string bisect_text(const BisectProgress& progress, int width, const TextStyle& style) {
  return aligned_text(bisect_table(progress), width, style) + "\n" + bisect_summary(progress);
}

Json bisect_report_json(const BisectProgress& progress) {
  const BisectState& state = progress.state;
  const BisectAnswer answer = answer_of(state);
  Json json = {{"schema", kBisectSchema}, {"target", nullptr}};
  if (progress.target) {
    const BisectTarget& target = *progress.target;
    json["target"] = {{"subject", target.suite_case.subject},
                      {"engine", target.suite_case.engine},
                      {"threads", target.suite_case.threads},
                      {"unit", target.unit.empty() ? Json() : Json(target.unit)}};
  }
  json["outcome"] = outcome_word(answer.outcome);
  json["culprit"] = nullptr;
  if (answer.outcome == BisectOutcome::kFound) {
    const BisectCommit& culprit = state.commits[answer.first_new];
    json["culprit"] = {{"commit", culprit.id}, {"subject", culprit.subject}};
  }
  json["last_good"] = state.commits[answer.last_old].id;
  json["first_bad"] = state.commits[answer.first_new].id;
  const bool has_ends = !state.commits.back().log_ratios.empty();
  json["ends"] = change_json(has_ends ? std::optional(answer.ends) : std::nullopt);
  json["effect"] = change_json(answer.effect);
  json["share"] = answer.effect ? Json(share_of_effect(answer)) : Json();
  json["pairs"] = answer.pairs;
  json["builds"] = builds_of(state);
  json["commits"] = commits_json(state);
  return json;
}

}  // namespace opbench
