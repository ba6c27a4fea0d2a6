#pragma once

#include <string>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/web/view.h"

namespace opbench {

/// A list of a page, in SQL.
struct ListQuery {
  std::string columns;  ///< behind SELECT, named as the page names them
  std::string from;
  std::string where = "true";
  std::string order;
};

/// {"rows": …, "offset", "limit", "total"}: the page of the list that the request asks for.
Result<Json> list_answer(const ViewContext& context, const WebRequest& request,
                         const ListQuery& list);

/// ` AND …` for each word of the text: it occurs in `subject`, in any case of letters.
std::string words_condition(const std::string& words, const std::string& subject);

/// Most rows of a page; more in an export, which has no pages.
int64_t most_rows_of(const ViewContext& context);

}  // namespace opbench
