#include <fmt/format.h>

#include <algorithm>

#include "base/text/printable.h"
#include "presentation/report/regress/regress_report.h"

namespace opbench {
namespace {

bool is_failure(const Alert& alert) {
  return alert.kind == AlertKind::kChange && alert.state != AlertState::kSuspected &&
         is_slower(alert);
}

std::string ci_title(const Alert& alert) {
  if (alert.kind == AlertKind::kMissing) {
    return fmt::format("{}: {} without a result", alert.id, alert.rows.size());
  }
  return fmt::format("{}: {} {}, {}", alert.id, name_of(alert.state),
                     is_slower(alert) ? "slower" : "faster", change_text(alert.rows[0]));
}

std::string ci_lines(const Alert& alert) {
  std::string text;
  for (const AlertRow& row : alert.rows) {
    const std::string change = alert.kind == AlertKind::kMissing ? "no result" : change_text(row);
    text += fmt::format("{}: {}\n", row.series, change);
  }
  for (const Commit& commit : alert.range.commits) text += fmt::format("commit {}\n", commit.id);
  if (!alert.cause.empty()) text += "cause: " + alert.cause + "\n";
  if (!alert.why_suspected.empty()) text += "not confirmed: " + alert.why_suspected + "\n";
  return text;
}

/// XML 1.0 has no place for control characters.
std::string xml_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\n':
        safe += "&#10;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string xml_of(const std::string& text) {
  std::string lines;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines += xml_text(printable(text.substr(begin, end - begin)));
    if (end == text.size()) break;
    lines += "&#10;";
    begin = end + 1;
  }
  return lines;
}

/// GitHub reads % and line ends in a message, and commas and colons in a property, by their codes.
std::string github_text(const std::string& text, bool is_property) {
  std::string safe;
  for (const char c : text) {
    if (c == '%') {
      safe += "%25";
    } else if (c == '\n') {
      safe += "%0A";
    } else if (c == '\r') {
      safe += "%0D";
    } else if (is_property && c == ':') {
      safe += "%3A";
    } else if (is_property && c == ',') {
      safe += "%2C";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string regress_junit(const RegressReport& report) {
  const auto failures = std::ranges::count_if(report.alerts, is_failure);
  const auto skipped = std::ranges::count_if(report.alerts, [](const Alert& alert) {
    return !is_failure(alert) && alert.state == AlertState::kSuspected;
  });
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<testsuite name=\"opbench regress\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
      report.alerts.size() + 1, failures, skipped);
  text += fmt::format(
      "  <testcase classname=\"opbench.regress\" name=\"ran\"><system-out>{}"
      "</system-out></testcase>\n",
      xml_of(fmt::format("{} nights, {} results, found {}", report.nights, report.rows,
                         found_text(report))));
  for (const Alert& alert : report.alerts) {
    text += fmt::format("  <testcase classname=\"opbench.regress.{}\" name=\"{}\">",
                        xml_of(alert.engine), xml_of(ci_title(alert)));
    const std::string lines = xml_of(ci_lines(alert));
    if (is_failure(alert)) {
      text += fmt::format("<failure message=\"{}\">{}</failure>", xml_of(ci_title(alert)), lines);
    } else if (alert.state == AlertState::kSuspected) {
      text += fmt::format("<skipped message=\"{}\"/>", lines);
    } else {
      text += fmt::format("<system-out>{}</system-out>", lines);
    }
    text += "</testcase>\n";
  }
  return text + "</testsuite>\n";
}

std::string regress_github(const RegressReport& report) {
  std::string text;
  for (const Alert& alert : report.alerts) {
    const bool is_warning = alert.kind == AlertKind::kMissing ||
                            (alert.state == AlertState::kSuspected && is_slower(alert));
    const char* level = is_failure(alert) ? "error" : is_warning ? "warning" : "notice";
    text += fmt::format("::{} title={}::{}\n", level, github_text(ci_title(alert), true),
                        github_text(ci_lines(alert), false));
  }
  return text + fmt::format("::notice title=opbench regress::{}\n",
                            github_text(fmt::format("ran over {} nights, {} results, and found {}",
                                                    report.nights, report.rows, found_text(report)),
                                        false));
}

}  // namespace opbench
