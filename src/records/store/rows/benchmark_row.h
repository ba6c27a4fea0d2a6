#pragma once

#include "base/json/json.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// A benchmark record as the store keeps it: an object with the columns of kind=benchmark
/// (docs/reference/benchmark-records.md, "Schema 0.2"), those that other columns are derived from,
/// and the whole record. Parts that are JSON are text: compact, with sorted keys.
Json benchmark_row(const BenchmarkRecord& record);

}  // namespace opbench
