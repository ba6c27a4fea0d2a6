#include "records/formats/benchmark/benchmark_file.h"
#include "records/formats/codec.h"
#include "records/json/json_kind.h"

namespace opbench {
namespace {

bool recognises_benchmark_v01b(const FileHead& head) {
  return json_kind(head.bytes) == JsonKind::kBenchmarkB;
}

Result<std::string> encode_benchmark_v01b(const AnyRecord& record) {
  return encode_benchmark_v01(record, BenchmarkForm::kB);
}

}  // namespace

CodecDef benchmark_v01b_codec() {
  return {.name = "benchmark-0.1b",
          .summary = "TVM's benchmark log 0.1 as a table of columns (env_name, build_config)",
          .recognises = recognises_benchmark_v01b,
          .open = open_benchmark_file,
          .encode = encode_benchmark_v01b};
}

}  // namespace opbench
