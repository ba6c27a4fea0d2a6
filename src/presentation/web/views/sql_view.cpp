#include <malloc.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <mutex>

#include "presentation/web/store/sql_page.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

constexpr int64_t kMostSqlRows = 10'000;

/// One at a time: each may use all the memory that is meant for them.
std::timed_mutex& sql_turn() {
  static std::timed_mutex turn;
  return turn;
}

Result<Json> run_sql(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const std::string sql, request.needed("q"));
  SqlLimits limits;
  OPBENCH_TRY(limits.rows, request.whole("limit", 1, kMostSqlRows, WebRequest::kMostRows));
  std::unique_lock turn(sql_turn(), limits.time);
  if (!turn.owns_lock()) {
    return Error{ErrorCode::kTimeBudget, "another statement is still running"};
  }
  const auto begin = std::chrono::steady_clock::now();
  auto rows = run_statement(context.store.folder(), sql, limits);
  malloc_trim(0);  // what a large statement took goes back
  turn.unlock();
  if (!rows) return rows.error();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  Json columns = Json::array();
  for (const ResultColumn& column : rows->result.columns) {
    columns.push_back({{"name", column.name}, {"type", column.type}});
  }
  return Json{{"columns", std::move(columns)},
              {"rows", rows->result.rows},
              {"is_cut", rows->is_cut},
              {"took_ms", took.count()}};
}

Json table_of_sql(const Json& answer) {
  Json rows = Json::array();
  for (const Json& cells : answer["rows"]) {
    Json row = Json::object();
    for (size_t i = 0; i < cells.size(); ++i) {
      row[answer["columns"][i]["name"].get<std::string>()] = cells[i];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

ViewDef sql_view() {
  return {.name = "sql",
          .parameters = {"q", "limit"},
          .table = table_of_sql,
          .is_kept = false,
          .run = run_sql};
}

}  // namespace opbench
