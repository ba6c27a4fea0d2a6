#include "records/formats/codec.h"
#include "records/formats/line_records.h"
#include "records/formats/logs/autotvm_decoder.h"

namespace opbench {
namespace {

bool recognises_autotvm(const FileHead& head) {
  return log_kind_of(head.bytes) == LogKind::kAutotvm;
}

Result<std::unique_ptr<RecordReader>> open_autotvm(const std::string& path) {
  const auto decoder = std::make_shared<AutotvmDecoder>();
  return read_line_records(path, {.decode = [decoder](std::string_view line) {
                             DecodedLine decoded = decoder->decode(line);
                             ReadItem item{.issues = std::move(decoded.issues)};
                             if (decoded.record) item.record = std::move(*decoded.record);
                             return item;
                           }});
}

Result<std::string> autotvm_encode(const AnyRecord& record) {
  const TuningRecord* trial = std::get_if<TuningRecord>(&record);
  if (trial == nullptr) {
    return Error{ErrorCode::kInvalidInput, "AutoTVM has no form for benchmark records"};
  }
  OPBENCH_TRY(std::string line, encode_autotvm(*trial));
  return line + "\n";
}

}  // namespace

CodecDef autotvm_codec() {
  return {.name = "autotvm",
          .summary = "AutoTVM's logs, versions 0.1 and 0.2; 0.2 is written",
          .recognises = recognises_autotvm,
          .open = open_autotvm,
          .encode = autotvm_encode,
          .record_begin = R"({"input": [")"};
}

}  // namespace opbench
