#pragma once

#include <memory>
#include <string>

#include "records/formats/benchmark/benchmark_v01.h"
#include "records/formats/codec.h"

namespace opbench {

/// Reads benchmark records of either version: one object, an array or JSON lines.
Result<std::unique_ptr<RecordReader>> open_benchmark_file(const std::string& path);

/// The record itself, or the benchmark record that a trial makes (benchmark_of). `kInvalidInput`
/// for a record that validate_record finds an error in.
Result<BenchmarkRecord> as_benchmark(const AnyRecord& record);

/// One line in a form of 0.1. `kInvalidInput` as downgrade_benchmark and as_benchmark.
Result<std::string> encode_benchmark_v01(const AnyRecord& record, BenchmarkForm form);

/// What is wrong with a piece of a file, as an item without a record.
ReadItem item_of_issue(RecordIssue issue, int64_t line);

}  // namespace opbench
