#include "presentation/report/regress/regress_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/counted.h"
#include "base/text/printable.h"

namespace opbench {
namespace {

constexpr size_t kRowsBelow = 4;
constexpr size_t kNotesShown = 12;

std::string direction_of(const Alert& alert) {
  if (alert.kind == AlertKind::kMissing) return "missing";
  return is_slower(alert) ? "slower" : "faster";
}

std::string nights_text(const CommitRange& range) {
  if (range.bad_date.empty()) return fmt::format("{} to {}", range.good_night, range.bad_night);
  return fmt::format("{} to {}", printable(range.good_date), printable(range.bad_date));
}

std::string commits_text(const CommitRange& range) {
  if (range.commits.empty()) return "-";
  if (range.commits.size() == 1) return printable(range.commits[0].id);
  return fmt::format("{}..{} ({})", printable(range.commits.front().id),
                     printable(range.commits.back().id), range.commits.size());
}

TextRow alert_line(const Alert& alert) {
  const AlertRow& first = alert.rows[0];
  const bool is_missing = alert.kind == AlertKind::kMissing;
  TextRow row{.cells = {std::string(name_of(alert.state)), direction_of(alert),
                        is_missing ? "-" : change_text(first), printable(first.series),
                        std::to_string(alert.rows.size()), nights_text(alert.range),
                        commits_text(alert.range)},
              .is_emphasised = alert.state != AlertState::kSuspected && is_slower(alert)};
  for (size_t i = 1; i < std::min(alert.rows.size(), kRowsBelow); ++i) {
    row.below.push_back(is_missing
                            ? printable(alert.rows[i].series)
                            : change_text(alert.rows[i]) + "  " + printable(alert.rows[i].series));
  }
  if (alert.rows.size() > kRowsBelow) {
    row.below.push_back(fmt::format("and {} more", alert.rows.size() - kRowsBelow));
  }
  if (!alert.why_suspected.empty()) {
    row.below.push_back("not confirmed: " + printable(alert.why_suspected));
  }
  return row;
}

std::string watched_text(const RegressReport& report) {
  std::string text = fmt::format("{}, {} series, {}", counted(report.nights, "night"),
                                 report.series, counted(report.rows, "result"));
  if (report.last_night) {
    text += fmt::format(", up to {}", report.last_date.empty() ? std::to_string(*report.last_night)
                                                               : printable(report.last_date));
  }
  return text;
}

std::string asked_text(const RegressReport& report) {
  if (!report.has_pairs) return report.detector + ", without paired runs: nothing can be confirmed";
  return fmt::format("{}, {} ({})", report.detector, counted(report.paired_runs, "paired run"),
                     counted(report.pairs, "pair"));
}

std::string notes_text(const RegressReport& report, const std::string& bullet) {
  std::string text;
  const size_t first = report.notes.size() > kNotesShown ? report.notes.size() - kNotesShown : 0;
  if (first > 0) text += fmt::format("{}{} older notes: --format json\n", bullet, first);
  for (size_t i = first; i < report.notes.size(); ++i) {
    text += bullet + printable(report.notes[i]) + "\n";
  }
  return text;
}

std::string noisiest_text(const RegressReport& report) {
  if (report.noisiest.empty()) return "";
  std::string text = "too noisy: other rows were suspected in each of the last nights. Noisiest:\n";
  for (const std::string& row : report.noisiest) text += "  " + printable(row) + "\n";
  return text;
}

}  // namespace

std::string change_text(const AlertRow& row) {
  return fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}]", percent_change(row.log_ratio),
                     percent_change(row.low), percent_change(row.high));
}

std::string found_text(const RegressReport& report) {
  int slower = 0, faster = 0, suspected = 0, missing = 0;
  for (const Alert& alert : report.alerts) {
    if (alert.kind == AlertKind::kMissing) {
      ++missing;
    } else if (alert.state == AlertState::kSuspected) {
      ++suspected;
    } else {
      ++(is_slower(alert) ? slower : faster);
    }
  }
  std::string text;
  const auto add = [&](int count, const char* one, const char* many = "") {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + counted(count, one, many);
  };
  add(slower, "confirmed regression");
  add(faster, "confirmed improvement");
  add(suspected, "suspicion");
  add(missing, "alert about missing results", "alerts about missing results");
  return text.empty() ? "nothing" : text;
}

TextTable alert_table(const RegressReport& report) {
  TextTable table{.columns = {{.header = "state"},
                              {.header = "change"},
                              {.header = "by", .is_right_aligned = true},
                              {.header = "most in", .shrinks_to = 16},
                              {.header = "rows", .is_right_aligned = true, .drop_order = 2},
                              {.header = "nights", .shrinks_to = 10},
                              {.header = "commits", .drop_order = 1}}};
  for (const Alert& alert : report.alerts) {
    if (!alert.rows.empty()) table.rows.push_back(alert_line(alert));
  }
  return table;
}

std::string regress_text(const RegressReport& report, int width, const TextStyle& style) {
  std::string text = "history   " + watched_text(report) + "\ndetector  " + asked_text(report) +
                     "\nfound     " + found_text(report) + "\n";
  if (!report.alerts.empty()) text += "\n" + aligned_text(alert_table(report), width, style);
  if (!report.noisiest.empty()) text += "\n" + noisiest_text(report);
  if (!report.notes.empty()) text += "\nnotes\n" + notes_text(report, "  ");
  return text;
}

std::string regress_markdown(const RegressReport& report) {
  std::string text = "**" + found_text(report) + "** in " + watched_text(report) + "; detector " +
                     asked_text(report) + ".\n";
  if (!report.alerts.empty()) text += "\n" + markdown_text(alert_table(report));
  if (!report.noisiest.empty()) text += "\n" + noisiest_text(report);
  if (!report.notes.empty()) {
    text += "\n<details><summary>Notes</summary>\n\n" + notes_text(report, "- ") + "\n</details>\n";
  }
  return text;
}

}  // namespace opbench
