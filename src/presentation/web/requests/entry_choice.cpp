#include "presentation/web/requests/entry_choice.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errors/suggestion.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

/// What may be meant: the begin of a selector, without the machine or the side.
Error unknown_entry(const QueryResult& near, const std::string& selector) {
  std::vector<std::string> known;
  for (const std::vector<Json>& row : near.rows) known.push_back(row[0].get<std::string>());
  if (known.empty()) {
    return Error{ErrorCode::kNoMatch, fmt::format("the store has nothing named \"{}\"", selector)};
  }
  Error error = unknown_name("run", selector, known);
  error.code = ErrorCode::kNoMatch;
  return error;
}

}  // namespace

const std::string& entry_columns() {
  static const std::string kColumns =
      "selector, kind, CASE WHEN kind = 'night' THEN suite || ' · ' || night || CASE WHEN branch "
      "NOT IN ('', 'main') THEN ' (' || branch || ')' ELSE '' END ELSE CASE WHEN len(models) = 0 "
      "THEN 'no model' WHEN len(models) <= 3 THEN array_to_string(models, ', ') ELSE "
      "array_to_string(models[1:2], ', ') || ' and ' || (len(models) - 2) || ' more' END || ' · ' "
      "|| CASE WHEN side IS NOT NULL THEN side ELSE array_to_string(engines, ', ') END || ' · ' || "
      "array_to_string(threads, ', ') || CASE WHEN threads = [1] THEN ' thread' ELSE ' threads' "
      "END END AS label, moment(ended_ms) AS at, models[1:6] AS models, engines, threads, "
      "left(machine, 12) AS machine, coalesce(machine_name, 'unknown machine') AS machine_name, "
      "commit_id AS \"commit\", NULL AS commit_url, suite, branch, night, rows, failures, argv";
  return kColumns;
}

Result<Json> entry_of(WebStore& store, const std::string& selector) {
  const std::string columns = "SELECT entry, " + entry_columns() + " FROM entries WHERE ";
  OPBENCH_TRY(QueryResult found, store.query(columns + "selector = " + sql_text(selector)));
  if (found.rows.empty()) {
    OPBENCH_TRY(found, store.query(fmt::format("{} starts_with(selector, {}) ORDER BY rows DESC "
                                               "LIMIT 1",
                                               columns, sql_text(selector + "@"))));
  }
  if (found.rows.empty()) {
    OPBENCH_TRY(const QueryResult near,
                store.query(fmt::format("SELECT selector FROM entries ORDER BY "
                                        "levenshtein(selector, {}) LIMIT 3",
                                        sql_text(selector))));
    return unknown_entry(near, selector);
  }
  Json info = row_json(found);
  finish_entry(info);
  return info;
}

std::string points_of_entry(int64_t entry) {
  return fmt::format(
      "(SELECT * FROM points WHERE at_ms BETWEEN (SELECT began_ms FROM entries WHERE entry = {0}) "
      "AND (SELECT ended_ms FROM entries WHERE entry = {0}) AND run_key IN (SELECT run_key FROM "
      "entry_runs WHERE entry = {0}))",
      entry);
}

int64_t take_entry(Json& info) {
  const int64_t entry = info.at("entry").get<int64_t>();
  info.erase("entry");
  return entry;
}

void finish_entry(Json& info) {
  std::vector<std::string> argv;
  if (info["argv"].is_array()) {
    for (const Json& word : info["argv"]) argv.push_back(word.get<std::string>());
  }
  info.erase("argv");
  info["command"] = argv.empty() ? Json() : Json(shell_text(argv));
}

}  // namespace opbench
