#pragma once

#include <cstdint>
#include <vector>

#include "base/json/json.h"
#include "records/json/record_grammar.h"

namespace opbench {

struct ValidationOptions {
  int64_t now_us = 0;   ///< microseconds since 1970; 0: any moment after 2010 is accepted
  bool strict = false;  ///< unknown keys are errors
};

/// Everything wrong with a record of schema 0.2, by the codes of
/// docs/reference/benchmark-records.md, "Schema 0.2", in the order of the fields; empty for a
/// record without fault. Fields whose type is wrong are judged no further. A record_id is compared
/// with that of a first occurrence only if it is not 64 hex digits, since the number of earlier
/// equal lines is not known here.
std::vector<RecordIssue> validate_record(const Json& record, const ValidationOptions& options = {});

/// Whether any of them is an error.
bool has_errors(const std::vector<RecordIssue>& issues);

}  // namespace opbench
