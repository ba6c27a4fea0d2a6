#include "presentation/web/requests/list_query.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace opbench {

int64_t most_rows_of(const ViewContext& context) {
  return context.exported_at.empty() ? WebRequest::kMostRows : WebRequest::kMostExportedRows;
}

Result<Json> list_answer(const ViewContext& context, const WebRequest& request,
                         const ListQuery& list) {
  OPBENCH_TRY(const PageRange page, request.page(most_rows_of(context)));
  OPBENCH_TRY(
      const QueryResult total,
      context.store.query(fmt::format("SELECT count(*) FROM {} WHERE {}", list.from, list.where)));
  OPBENCH_TRY(const QueryResult rows,
              context.store.query(fmt::format("SELECT {} FROM {} WHERE {} ORDER BY {} LIMIT {} "
                                              "OFFSET {}",
                                              list.columns, list.from, list.where, list.order,
                                              page.limit, page.offset)));
  return Json{{"offset", page.offset},
              {"limit", page.limit},
              {"total", total.rows[0][0]},
              {"rows", rows_json(rows)}};
}

std::string words_condition(const std::string& words, const std::string& subject) {
  std::istringstream stream(words);
  std::string condition;
  for (std::string word; stream >> word;) {
    condition += fmt::format(" AND contains(lower({}), lower({}))", subject, sql_text(word));
  }
  return condition;
}

}  // namespace opbench
