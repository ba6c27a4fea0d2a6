#pragma once

#include <vector>

#include "records/json/record_grammar.h"
#include "records/record/benchmark_record.h"
#include "records/record/tuning_record.h"

namespace opbench {

/// The trial as a benchmark record (docs/reference/benchmark-records.md, "Trials as benchmark
/// records"): times in milliseconds, the workload `topi.<task>`, the config whole. Issues:
/// W_HARDWARE if the target names no model, W_TIMESTAMP if the log has no moment; then it is
/// 2010-01-01.
BenchmarkRecord benchmark_of(const TuningRecord& trial, std::vector<RecordIssue>& issues);

}  // namespace opbench
