#include "records/formats/benchmark/benchmark_file.h"
#include "records/formats/codec.h"
#include "records/json/json_kind.h"

namespace opbench {
namespace {

bool recognises_benchmark_v01d(const FileHead& head) {
  return json_kind(head.bytes) == JsonKind::kBenchmarkD;
}

Result<std::string> encode_benchmark_v01d(const AnyRecord& record) {
  return encode_benchmark_v01(record, BenchmarkForm::kD);
}

}  // namespace

CodecDef benchmark_v01d_codec() {
  return {.name = "benchmark-0.1d",
          .summary = "TVM's benchmark log 0.1 as in its documentation (hardware, metrics)",
          .recognises = recognises_benchmark_v01d,
          .open = open_benchmark_file,
          .encode = encode_benchmark_v01d};
}

}  // namespace opbench
