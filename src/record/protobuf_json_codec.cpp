#include "opbench/record/codec.h"
#include "opbench/record/json_kind.h"
#include "opbench/record/line_records.h"
#include "opbench/record/tuning_codec.h"

namespace opbench {
namespace {

bool recognises(const FileHead& head) { return json_kind(head.bytes) == JsonKind::kTuningMessage; }

ReadItem decode(std::string_view line) {
  DecodedLine decoded = decode_protobuf_json(line);
  ReadItem item{.issues = std::move(decoded.issues)};
  if (decoded.record) item.record = std::move(*decoded.record);
  return item;
}

Result<std::unique_ptr<RecordReader>> open(const std::string& path) {
  return read_line_records(path, {.decode = decode, .comment_begins = "", .keeps_origin = true});
}

Result<std::string> encode_as(const AnyRecord& record, const ProtobufOptions& options) {
  const auto* trial = std::get_if<TuningRecord>(&record);
  if (trial == nullptr) {
    return Error{ErrorCode::kInvalidInput, "protobuf-json has no form for benchmark records"};
  }
  OPBENCH_TRY(std::string line, encode_protobuf_json(*trial, options));
  return line + "\n";
}

Result<std::string> encode(const AnyRecord& record) { return encode_as(record, {}); }

Result<std::string> encode_for_seed(const AnyRecord& record) {
  return encode_as(record, {.seed_compat = true});
}

}  // namespace

CodecDef protobuf_json_codec() {
  return {.name = "protobuf-json",
          .summary = "tuning records as proto3 JSON, one a line (.atlog.jsonl)",
          .recognises = recognises,
          .open = open,
          .encode = encode,
          .encode_for_seed = encode_for_seed};
}

}  // namespace opbench
