#include "presentation/report/findings/findings_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/printable.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {
namespace {

bool has_trials(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [](const Finding& one) {
    return one.measured_gain_pct.has_value() || one.not_measured.has_value();
  });
}

std::string tried_gain_text(const Finding& one) {
  if (one.measured_gain_pct) return fmt::format("{:.1f} %", *one.measured_gain_pct);
  return one.not_measured ? "-" : "not tried";
}

TextTable findings_table(const std::vector<Finding>& findings) {
  constexpr int kNarrowest = 16;
  TextTable table;
  table.columns = {{.header = "finding", .shrinks_to = kNarrowest},
                   {.header = "where", .shrinks_to = kNarrowest},
                   {.header = "evidence", .shrinks_to = kNarrowest},
                   {.header = "gain", .is_right_aligned = true, .unit = "expected"}};
  const bool is_tried = has_trials(findings);
  if (is_tried) {
    table.columns.push_back({.header = "gain", .is_right_aligned = true, .unit = "measured"});
  }
  for (const Finding& one : findings) {
    TextRow row{{printable(one.finding), printable(one.where), printable(one.evidence),
                 fmt::format("{:.1f} to {:.1f} %", one.gain_low_pct, one.gain_high_pct)}};
    if (is_tried) row.cells.push_back(tried_gain_text(one));
    row.below.push_back(printable(one.command));
    if (one.not_measured) row.below.push_back("no gain: " + printable(*one.not_measured));
    table.rows.push_back(std::move(row));
  }
  return table;
}

constexpr const char* kNothingFound = "findings: none that is expected to gain 1 % of the time\n";
constexpr const char* kFindingsNote =
    "(gains are parts of the model's time; expected ones are predicted from this run)\n";

}  // namespace

std::string findings_text(const std::vector<Finding>& findings, int width, const TextStyle& style) {
  if (findings.empty()) return kNothingFound;
  return aligned_text(findings_table(findings), width, style) + kFindingsNote;
}

std::string findings_markdown(const std::vector<Finding>& findings) {
  if (findings.empty()) return kNothingFound;
  TextTable table = findings_table(findings);
  table.columns.push_back({.header = "command"});
  for (size_t i = 0; i < table.rows.size(); ++i) {
    table.rows[i].cells.push_back("`" + printable(findings[i].command) + "`");
  }
  return markdown_text(table) + "\n" + kFindingsNote;
}

}  // namespace opbench
