#include "presentation/report/regress/digest_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text/counted.h"

namespace opbench {
namespace {

constexpr size_t kMostDigestRows = 5;      // of one alert
constexpr size_t kMostDigestCommits = 10;  // of one alert
constexpr size_t kDigestDigits = 12;       // of a commit

std::string size_text(const AlertRow& row) {
  return fmt::format("{:+.1f} % ({:+.1f} … {:+.1f} %)", percent_change(row.log_ratio),
                     percent_change(row.low), percent_change(row.high));
}

std::string range_line(const CommitRange& range) {
  std::string text = fmt::format("  - after {}, by {}", range.good_date, range.bad_date);
  if (range.commits.empty()) return text + "\n";
  text += fmt::format(", {}:", counted(static_cast<int64_t>(range.commits.size()), "commit"));
  for (size_t i = 0; i < std::min(range.commits.size(), kMostDigestCommits); ++i) {
    text += " " + range.commits[i].id.substr(0, kDigestDigits);
  }
  if (range.commits.size() > kMostDigestCommits) text += " …";
  return text + "\n";
}

std::string alert_lines(const Alert& alert) {
  std::string text = fmt::format("- **{}** ({}", alert.id, name_of(alert.state));
  if (alert.life != AlertLife::kNew) text += fmt::format(", {}", name_of(alert.life));
  text += ")";
  if (!alert.cause.empty()) text += ": " + alert.cause;
  text += "\n" + range_line(alert.range);
  for (size_t i = 0; i < std::min(alert.rows.size(), kMostDigestRows); ++i) {
    text += fmt::format("  - {}: {}\n", alert.rows[i].series, size_text(alert.rows[i]));
  }
  if (alert.rows.size() > kMostDigestRows) {
    text += fmt::format("  - and {} more rows\n", alert.rows.size() - kMostDigestRows);
  }
  if (!alert.why_suspected.empty())
    text += fmt::format("  - not confirmed: {}\n", alert.why_suspected);
  return text;
}

std::string section(const std::string& title, const std::vector<const Alert*>& alerts) {
  if (alerts.empty()) return "";
  std::string text = fmt::format("\n## {}\n\n", title);
  for (const Alert* alert : alerts) text += alert_lines(*alert);
  return text;
}

}  // namespace

std::string digest_markdown(const RegressReport& report, const History& history,
                            const DigestScope& scope) {
  const auto is_recent = [&](const std::string& date) { return date >= scope.since; };
  int64_t nights = 0;
  int64_t commits = 0;
  for (const Night& night : history.nights) {
    if (!is_recent(night.date)) continue;
    ++nights;
    commits += static_cast<int64_t>(night.commits.size());
  }
  std::vector<const Alert*> recent;
  for (const Alert& alert : report.alerts) {
    if (is_recent(alert.range.bad_date)) recent.push_back(&alert);
  }
  const auto those = [&](const std::function<bool(const Alert&)>& is_meant) {
    std::vector<const Alert*> found;
    std::ranges::copy_if(recent, std::back_inserter(found),
                         [&](const Alert* alert) { return is_meant(*alert); });
    return found;
  };
  std::string text = fmt::format("# {} on {} since {}\n\n{}, {}, {}", scope.suite, scope.branch,
                                 scope.since, counted(nights, "night"), counted(commits, "commit"),
                                 counted(report.series, "row"));
  text += fmt::format("; {}.\n", counted(report.paired_runs, "paired run"));
  if (nights == 0) text += "\nNo night was measured.\n";
  if (nights > 0 && recent.empty()) text += "\nNothing changed.\n";
  const auto is_change = [](const Alert& alert) { return alert.kind == AlertKind::kChange; };
  const auto is_noise = [](const Alert& alert) { return alert.life == AlertLife::kNoise; };
  text += section("Slower", those([&](const Alert& alert) {
                    return is_change(alert) && is_slower(alert) && !is_noise(alert);
                  }));
  text += section("Faster", those([&](const Alert& alert) {
                    return is_change(alert) && !is_slower(alert) && !is_noise(alert);
                  }));
  text += section("Missing", those([&](const Alert& alert) { return !is_change(alert); }));
  text += section("Noise",
                  those([&](const Alert& alert) { return is_change(alert) && is_noise(alert); }));
  if (!report.notes.empty()) {
    text += "\n## Notes\n\n";
    for (const std::string& note : report.notes) text += "- " + note + "\n";
  }
  return text;
}

}  // namespace opbench
