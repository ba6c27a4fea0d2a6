#include "presentation/web/requests/suite_findings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/text/shell_word.h"
#include "experiments/regress/night_run.h"

namespace opbench {
namespace {

/// A record may name any suite: only a plain name is a folder.
bool is_folder_name(const std::string& suite) {
  return !suite.empty() && suite.find('/') == std::string::npos && suite != "." && suite != "..";
}

Json commits_of_alert(const std::vector<Commit>& commits) {
  Json list = Json::array();
  for (const Commit& commit : commits) {
    list.push_back(
        {{"id", commit.id}, {"url", nullptr}, {"kind", commit.is_code ? "code" : "docs"}});
  }
  return list;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json alert_commands(const Alert& alert) {
  const std::string id = shell_word(alert.id);
  const auto word = [&](const char* verb, const char* more) {
    return fmt::format("opbench regress {} {} --suite FILE{}", verb, id, more);
  };
  Json commands = Json::array();
  if (alert.kind == AlertKind::kChange && alert.range.commits.size() > 1) {
    commands.push_back(
        titled_command("Find the commit", fmt::format("opbench bisect {} --suite FILE", id)));
  }
  commands.push_back(titled_command("I look into it", word("acknowledge", "")));
  commands.push_back(titled_command("It is meant so", word("accept", " --reason 'why'")));
  commands.push_back(titled_command("It is noise", word("ignore", " --reason 'why'")));
  commands.push_back(titled_command("It is fixed", word("fixed", "")));
  commands.push_back(titled_command("It came in a night earlier", word("nudge", " --by -1")));
  return commands;
}

}  // namespace

Json titled_command(const std::string& title, const std::string& command) {
  return {{"title", title}, {"command", command}};
}

Result<std::optional<SuiteFindingsKept>> findings_of_suite(const WebStore& store,
                                                           const SuiteNights& nights) {
  if (!is_folder_name(nights.suite)) return std::optional<SuiteFindingsKept>();
  const std::filesystem::path folder = watch_folder(store.folder(), nights.suite);
  OPBENCH_TRY(auto kept, read_findings(folder, nights.branch, nights.machine));
  if (!kept) return std::optional<SuiteFindingsKept>();
  SuiteFindingsKept findings{.kept = std::move(*kept)};
  OPBENCH_TRY(findings.words, apply_words(folder, findings.kept));
  return std::optional(std::move(findings));
}

int64_t open_alerts(const SuiteFindingsKept& findings) {
  return std::ranges::count_if(findings.kept.report.alerts, is_open);
}

Result<AlertPages> AlertPages::make(WebStore& store, const SuiteNights& nights,
                                    const SuiteFindingsKept& findings) {
  AlertPages pages(nights, findings);
  const std::string where =
      fmt::format("suite = {} AND branch = {} AND machine = {}", sql_text(nights.suite),
                  sql_text(nights.branch), sql_text(nights.machine));
  std::vector<std::string> names;
  for (const Alert& alert : findings.kept.report.alerts) {
    for (const AlertRow& row : alert.rows) {
      names.push_back(row.series);
      names.push_back(row.series.substr(0, row.series.rfind(" at ")));
    }
  }
  OPBENCH_TRY(const QueryResult series,
              store.query(fmt::format("SELECT watch_id, node, id FROM series WHERE {} AND watch_id "
                                      "IN (SELECT unnest({}::VARCHAR[]))",
                                      where, sql_list(names))));
  for (const std::vector<Json>& row : series.rows) {
    const std::string id = row[2].get<std::string>();
    pages.ids_.emplace(row[0].get<std::string>(), id);
    if (row[1].is_string()) {
      pages.ids_.emplace(row[0].get<std::string>() + " at " + row[1].get<std::string>(), id);
    }
  }
  OPBENCH_TRY(const QueryResult selectors,
              store.query("SELECT night, selector FROM entries WHERE kind = 'night' AND " + where));
  for (const std::vector<Json>& row : selectors.rows) {
    pages.selectors_.emplace(row[0].get<std::string>(), row[1].get<std::string>());
  }
  return pages;
}

std::string AlertPages::label_of(const std::string& series) {
  std::string label = series;
  for (int parts = 0; parts < 2; ++parts) {
    const size_t slash = label.find('/');
    if (slash != std::string::npos) label.replace(slash, 1, " · ");
  }
  return label;
}

Json AlertPages::id_of(const std::string& series) const {
  const auto found = ids_.find(series);
  return found == ids_.end() ? Json() : Json(found->second);
}

std::string AlertPages::selector_of(const std::string& night) const {
  const auto found = selectors_.find(night);
  return found == selectors_.end() ? "" : found->second;
}

Json AlertPages::words_on(const Alert& alert) const {
  Json words = Json::array();
  for (const Annotation& word : findings_.words) {
    // A nudge moves the nights that the page shows; the others name them as they were found.
    const bool is_meant =
        word.engine == alert.engine &&
        (word.good_night == alert.range.good_date || word.bad_night == alert.range.bad_date);
    if (!is_meant) continue;
    std::string text = word.reason;
    if (word.nights != 0) {
      text = fmt::format("{:+d} nights{}{}", word.nights, text.empty() ? "" : ": ", text);
    }
    words.push_back({{"verb", name_of(word.verb)},
                     {"text", text},
                     {"said_at", word.at},
                     {"link", text_or_null(word.link)}});
  }
  return words;
}

Json AlertPages::info(const Alert& alert, size_t most_rows) const {
  const auto night_of = [&](std::optional<int> index) -> Json {
    for (const Night& night : findings_.kept.nights) {
      if (index && night.index == *index) return night.date;
    }
    return nullptr;
  };
  Json rows = Json::array();
  for (const AlertRow& row : alert.rows) {
    if (rows.size() == most_rows) break;
    rows.push_back({{"series", row.series},
                    {"id", id_of(row.series)},
                    {"label", label_of(row.series)},
                    {"change_pct", percent_change(row.log_ratio)},
                    {"low_pct", percent_change(row.low)},
                    {"high_pct", percent_change(row.high)},
                    {"z", row.z},
                    {"pairs", row.pairs}});
  }
  const std::string before = selector_of(alert.range.good_date);
  const std::string after = selector_of(alert.range.bad_date);
  return {{"id", alert.id},
          {"kind", name_of(alert.kind)},
          {"engine", alert.engine},
          {"state", name_of(alert.state)},
          {"life", name_of(alert.life)},
          {"is_open", is_open(alert)},
          {"is_slower", alert.rows.empty() ? false : is_slower(alert)},
          {"cause", text_or_null(alert.cause)},
          {"why_suspected", text_or_null(alert.why_suspected)},
          {"good_night", alert.range.good_date},
          {"bad_night", alert.range.bad_date},
          {"reported_night", night_of(alert.reported_night)},
          {"confirmed_night", night_of(alert.confirmed_night)},
          {"settled_night", night_of(alert.settled_night)},
          {"commits", commits_of_alert(alert.range.commits)},
          {"rows", std::move(rows)},
          {"row_total", alert.rows.size()},
          {"annotations", words_on(alert)},
          {"compare", before.empty() || after.empty() ? Json() : Json{{"a", before}, {"b", after}}},
          {"commands", alert_commands(alert)}};
}

}  // namespace opbench
