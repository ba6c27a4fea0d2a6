#include "presentation/web/series/series_data.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "presentation/web/series/series_marks.h"

namespace opbench {
namespace {

/// The points of `where` with `position`: behind which commit each stands; 0 where times decide.
std::string placed_points(const std::string& where, const std::vector<std::string>& commits) {
  if (commits.empty())
    return fmt::format("SELECT p.*, 0 AS position FROM points p WHERE {}", where);
  return fmt::format(
      "SELECT *, coalesce(known, max(known) OVER (ORDER BY at_ms, run_key ROWS UNBOUNDED "
      "PRECEDING) + 0.5, 0) AS position FROM (SELECT p.*, list_position({}, r.commit_id) AS known "
      "FROM points p JOIN runs r USING (run_key) WHERE {})",
      sql_list(commits), where);
}

/// One row a point; with `per_bucket` points in a row where there are more than fit.
std::string points_query(const std::string& placed, int64_t per_bucket) {
  const std::string points = fmt::format(
      "SELECT p.at_ms, p.ms, p.low_ms, p.high_ms, p.code, p.run_key, row_number() OVER (ORDER BY "
      "p.position, p.at_ms, p.run_key) - 1 AS place FROM ({}) p",
      placed);
  const std::string rows =
      per_bucket <= 1
          ? fmt::format("SELECT at_ms, ms, low_ms, high_ms, 1 AS n, code, run_key, place FROM ({})",
                        points)
          : fmt::format(
                "SELECT max(at_ms) AS at_ms, median(ms) AS ms, min(ms) AS low_ms, max(ms) AS "
                "high_ms, count(*) AS n, arg_max(code, place) AS code, arg_max(run_key, "
                "place) AS run_key, max(place) AS place FROM ({}) GROUP BY place // {}",
                points, per_bucket);
  return fmt::format(
      "SELECT q.at_ms AS at_epoch_ms, q.ms, q.low_ms, q.high_ms, q.n, r.commit_id AS \"commit\", "
      "r.night, r.selector AS run, q.code, f.text AS failure, coalesce(r.surroundings, r.software) "
      "AS surroundings, r.method, r.surroundings IS NULL AS is_hash FROM ({}) q JOIN runs r USING "
      "(run_key) LEFT JOIN (SELECT run_key, any_value(text) AS text FROM failures WHERE series_key "
      "= "
      "(SELECT series_key FROM wanted) GROUP BY run_key) f ON f.run_key = q.run_key AND q.ms IS "
      "NULL "
      "ORDER BY q.place",
      rows);
}

Json columns_of_rows(const std::vector<Json>& rows) {
  Json points = Json::object();
  for (const char* name :
       {"at_epoch_ms", "ms", "low_ms", "high_ms", "n", "commit", "night", "run"}) {
    Json& column = points[name] = Json::array();
    for (const Json& row : rows) column.push_back(row[name]);
  }
  Json& rebuilt = points["is_rebuilt"] = Json::array();
  Json before;
  for (const Json& row : rows) {
    rebuilt.push_back(!before.is_null() && !row["code"].is_null() && row["code"] != before);
    if (!row["code"].is_null()) before = row["code"];
  }
  Json& failures = points["failure"] = Json::array();
  for (const Json& row : rows) failures.push_back(row["failure"]);
  return points;
}

Result<Json> info_of_series(WebStore& store, const std::string& id) {
  OPBENCH_TRY(const QueryResult found,
              store.query("SELECT " + series_columns() +
                          " FROM series JOIN stats USING (series_key) WHERE id = " + sql_text(id)));
  if (found.rows.empty()) {
    return Error{ErrorCode::kNoMatch, fmt::format("the store has no series \"{}\"", id)}.with(
        "known", "api/series/list names them");
  }
  return row_json(found);
}

}  // namespace

const std::string& series_columns() {
  static const std::string kColumns =
      "id, engine || ' · ' || CASE WHEN unit = 'model' THEN model ELSE CASE WHEN model IN ('', "
      "unit) THEN '' ELSE model || ' · ' END || unit END || CASE WHEN threads > 1 THEN ' @' || "
      "threads ELSE '' END AS label, engine, threads, model, unit, shapes, scope, cache, "
      "left(machine, 12) AS machine, coalesce((SELECT any_value(machine_name) FROM entries e WHERE "
      "e.machine = series.machine), 'unknown machine') AS machine_name, suite, branch, points, "
      "moment(first_ms) AS first_at, moment(last_ms) AS last_at, newest AS last_ms, 100 * (newest "
      "/ "
      "before - 1) AS change_pct, 0 AS alerts";
  return kColumns;
}

Result<Json> series_data(WebStore& store, const std::string& id, const SeriesWindow& window) {
  OPBENCH_TRY(Json info, info_of_series(store, id));
  const std::string wanted =
      "WITH wanted AS (SELECT series_key FROM series WHERE id = " + sql_text(id) + ") ";
  const std::string where =
      fmt::format("p.series_key = (SELECT series_key FROM wanted) AND p.at_ms BETWEEN {} AND {}",
                  window.from_ms, window.to_ms);
  OPBENCH_TRY(const QueryResult total,
              store.query(wanted + "SELECT count(*) FROM points p WHERE " + where));
  const int64_t count = total.rows[0][0].get<int64_t>();
  const int64_t per_bucket = (count + window.most_points - 1) / window.most_points;
  OPBENCH_TRY(const QueryResult found,
              store.query(wanted + points_query(placed_points(where, window.commits), per_bucket)));
  const Json list = rows_json(found);
  const std::vector<Json> rows(list.begin(), list.end());
  Json data = {{"info", std::move(info)},
               {"is_bucketed", per_bucket > 1},
               {"points", columns_of_rows(rows)}};
  const SeriesMarks marks = marks_of(rows);
  data["segments"] = segments_json(marks);
  data["changes"] = changes_json(marks);
  data["breaks"] = breaks_json(rows);
  data["alerts"] = Json::array();
  data["annotations"] = Json::array();
  return data;
}

Result<std::vector<std::string>> commits_of_series(WebStore& store,
                                                   const std::vector<std::string>& ids,
                                                   const std::vector<Night>& nights) {
  OPBENCH_TRY(const QueryResult found,
              store.query("SELECT r.commit_id FROM points p JOIN runs r USING (run_key) JOIN "
                          "series s USING (series_key) WHERE r.commit_id IS NOT NULL AND s.id IN "
                          "(SELECT unnest(" +
                          sql_list(ids) + ")) GROUP BY 1 ORDER BY min(p.at_ms), 1"));
  std::vector<std::string> measured;
  for (const std::vector<Json>& row : found.rows) measured.push_back(row[0].get<std::string>());
  std::set<std::string> left(measured.begin(), measured.end());
  std::vector<std::string> ordered;
  for (const Night& night : nights) {
    for (const Commit& commit : night.commits) {
      if (left.erase(commit.id) > 0) ordered.push_back(commit.id);
    }
  }
  return ordered.empty() ? measured : ordered;
}

Result<std::optional<SuiteNights>> suite_of_series(WebStore& store, const std::string& id) {
  OPBENCH_TRY(const QueryResult found,
              store.query("SELECT suite, branch, machine FROM series WHERE suite IS NOT NULL AND "
                          "id = " +
                          sql_text(id)));
  if (found.rows.empty()) return std::optional<SuiteNights>();
  const auto text = [&](size_t column) {
    const Json& cell = found.rows[0][column];
    return cell.is_string() ? cell.get<std::string>() : "";
  };
  return std::optional(SuiteNights{text(0), text(1), text(2)});
}

}  // namespace opbench
