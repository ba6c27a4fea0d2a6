#pragma once

#include "base/json/json.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// A benchmark record as the store keeps it: an object with the columns of kind=benchmark
/// (docs/reference/benchmark-records.md, "Schema 0.2"), those that other columns are derived from,
/// and the whole record as text. Other values are those of the record: fitted_value() makes them
/// fit their columns.
Json benchmark_row(const BenchmarkRecord& record);

}  // namespace opbench
