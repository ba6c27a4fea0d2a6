#include "records/formats/benchmark/benchmark_file.h"
#include "records/formats/codec.h"
#include "records/json/json_kind.h"

namespace opbench {
namespace {

bool recognises_benchmark(const FileHead& head) {
  return json_kind(head.bytes) == JsonKind::kBenchmark;
}

Result<std::string> encode_benchmark(const AnyRecord& record) {
  OPBENCH_TRY(const BenchmarkRecord benchmark, as_benchmark(record));
  return to_line(benchmark);
}

}  // namespace

CodecDef benchmark_codec() {
  return {.name = "benchmark",
          .summary = "benchmark records, schema 0.2, one JSON object a line",
          .recognises = recognises_benchmark,
          .open = open_benchmark_file,
          .encode = encode_benchmark};
}

}  // namespace opbench
