#pragma once

#include <string>

#include "presentation/web/requests/web_answer.h"
#include "presentation/web/view.h"

namespace opbench {

/// The answer to `api/PATH` or `api/PATH.csv`, without `api/`. 404 for an unknown path, 400 and 404
/// for what the view refuses, 503 while the store is still being read.
WebAnswer answer_to(const std::string& path, const ViewContext& context, const WebRequest& request);

/// {"error": …, "known": …, "did_you_mean": …, "facts": …}
WebAnswer error_answer(int status, const Error& error);

/// The list of an answer as CSV: a column for every member, objects and lists as JSON.
std::string csv_of(const Json& list);

}  // namespace opbench
