#pragma once

#include <vector>

#include "base/json/json.h"
#include "records/json/record_grammar.h"

namespace opbench {

/// Whether a record, as JSON, says that its time was predicted.
bool says_predicted(const Json& record);

/// Adds what is wrong with `kind` and `prediction`: `E_KIND` for a word that is no kind, for a
/// prediction in a measured record and for a measured time in a predicted one; `E_MISSING`,
/// `E_TYPE`, `E_NONFINITE`, `E_NEGATIVE` and `E_RANGE` for the members of the prediction.
void check_prediction(const Json& record, std::vector<RecordIssue>& issues);

}  // namespace opbench
