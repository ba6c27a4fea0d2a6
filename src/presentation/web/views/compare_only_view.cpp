#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "presentation/web/compare/run_pair.h"
#include "presentation/web/requests/list_query.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

Result<Json> run_compare_only(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const RunPair pair, run_pair_of(request));
  OPBENCH_TRY(const std::string side, request.choice("side", {"a", "b"}, "a"));
  OPBENCH_TRY(const PageRange page, request.page(most_rows_of(context)));
  OPBENCH_TRY(const PairedRows paired, pair_sides(context, pair));
  const std::string rest =
      fmt::format(" FROM {0} ANTI JOIN {1} USING (match_key)", side, side == "a" ? "b" : "a");
  OPBENCH_TRY(
      const QueryResult found,
      context.store.query(fmt::format(
          "{} SELECT model, unit, shapes, scope, engine, threads, ms, (SELECT any_value(text) "
          "FROM failures f WHERE f.series_key = {}.series_key AND f.run_key IN (SELECT "
          "run_key FROM entry_runs WHERE entry = {})) AS failure, id AS series, count(*) OVER () "
          "AS total{} ORDER BY model, scope, unit, engine, threads LIMIT {} OFFSET {}",
          paired.side_sql, side, side == "a" ? paired.entry_a : paired.entry_b, rest, page.limit,
          page.offset)));
  Json rows = rows_json(found);
  Json total = 0;
  if (!rows.empty()) {
    total = rows[0]["total"];
  } else if (page.offset > 0) {  // behind the last one
    OPBENCH_TRY(const QueryResult count,
                context.store.query(paired.side_sql + " SELECT count(*)" + rest));
    total = count.rows[0][0];
  }
  for (Json& row : rows) row.erase("total");
  return Json{{"offset", page.offset},
              {"limit", page.limit},
              {"total", std::move(total)},
              {"rows", std::move(rows)}};
}

}  // namespace

ViewDef compare_only_view() {
  std::vector<std::string> parameters = pair_parameters();
  for (const char* name : {"side", "offset", "limit"}) parameters.push_back(name);
  return {.name = "compare/only",
          .parameters = std::move(parameters),
          .list = "rows",
          .run = run_compare_only};
}

}  // namespace opbench
