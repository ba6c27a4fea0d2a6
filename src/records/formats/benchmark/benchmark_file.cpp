#include "records/formats/benchmark/benchmark_file.h"

#include <nlohmann/json.hpp>

#include <utility>

#include "records/json/json_values.h"
#include "records/record/benchmark_times.h"
#include "records/record/record_validation.h"
#include "records/record/tuning_to_benchmark.h"

namespace opbench {
namespace {

class BenchmarkReader : public RecordReader {
 public:
  explicit BenchmarkReader(JsonValues values) : values_(std::move(values)) {}

  Result<std::optional<ReadItem>> next() override {
    OPBENCH_TRY(std::optional<JsonSlice> slice, values_.next());
    if (!slice) return std::optional<ReadItem>();
    if (slice->issue) return std::optional(item_of_issue(std::move(*slice->issue), slice->line));
    DecodedBenchmark decoded =
        decode_benchmark(slice->text, {.now_us = now_us()}, slice->line, slice->column);
    if (slice->is_torn && !decoded.issues.empty() && decoded.issues.front().code == "E_JSON") {
      decoded.issues.front().code = "E_TORN";
    }
    ReadItem item{.issues = std::move(decoded.issues), .line = slice->line, .text = slice->text};
    if (decoded.record) item.record = std::move(*decoded.record);
    return std::optional(std::move(item));
  }

 private:
  JsonValues values_;
};

}  // namespace

ReadItem item_of_issue(RecordIssue issue, int64_t line) {
  ReadItem item{.line = line};
  item.issues.push_back(std::move(issue));
  return item;
}

Result<std::unique_ptr<RecordReader>> open_benchmark_file(const std::string& path) {
  OPBENCH_TRY(JsonValues values, JsonValues::open(path, {}));
  return std::unique_ptr<RecordReader>(std::make_unique<BenchmarkReader>(std::move(values)));
}

Result<BenchmarkRecord> as_benchmark(const AnyRecord& record) {
  BenchmarkRecord benchmark;
  if (const auto* trial = std::get_if<TuningRecord>(&record)) {
    std::vector<RecordIssue> ignored;
    benchmark = benchmark_of(*trial, ignored);
  } else {
    benchmark = std::get<BenchmarkRecord>(record);
  }
  for (const RecordIssue& issue : validate_record(to_json(benchmark), {.now_us = now_us()})) {
    if (!issue.is_error()) continue;
    return Error{ErrorCode::kInvalidInput,
                 "the record is no valid benchmark record: " + issue.code + " in \"" + issue.field +
                     "\": " + issue.message};
  }
  return benchmark;
}

Result<std::string> encode_benchmark_v01(const AnyRecord& record, BenchmarkForm form) {
  OPBENCH_TRY(const BenchmarkRecord benchmark, as_benchmark(record));
  OPBENCH_TRY(const Json old, downgrade_benchmark(benchmark, form));
  return old.dump() + "\n";
}

}  // namespace opbench
