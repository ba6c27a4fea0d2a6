#include "records/formats/benchmark/benchmark_file.h"
#include "records/formats/codec.h"
#include "records/formats/logs/tuning_codec.h"
#include "records/json/json_kind.h"
#include "records/json/json_values.h"

namespace opbench {
namespace {

bool recognises_protobuf_json(const FileHead& head) {
  return json_kind(head.bytes) == JsonKind::kTuningMessage;
}

/// One message a line, or pretty-printed, or the items of an array.
class ProtobufJsonMessageReader : public RecordReader {
 public:
  ProtobufJsonMessageReader(JsonValues values, std::string path)
      : values_(std::move(values)), path_(std::move(path)) {}

  Result<std::optional<ReadItem>> next() override {
    OPBENCH_TRY(std::optional<JsonSlice> slice, values_.next());
    if (!slice) return std::optional<ReadItem>();
    if (slice->issue) return std::optional(item_of_issue(std::move(*slice->issue), slice->line));
    DecodedLine decoded = decode_protobuf_json(slice->text);
    ReadItem item{.issues = std::move(decoded.issues), .line = slice->line, .text = slice->text};
    for (RecordIssue& issue : item.issues) {
      if (slice->is_torn && issue.code == "E_JSON") {
        issue.code = "E_TORN";
        issue.message = "the last line was cut when it was written: " + issue.message;
      }
    }
    if (!decoded.record) return std::optional(std::move(item));
    if (decoded.record->origin.file.empty()) {
      decoded.record->origin.file = path_;
      decoded.record->origin.line = slice->line;
    }
    item.record = std::move(*decoded.record);
    return std::optional(std::move(item));
  }

 private:
  JsonValues values_;
  std::string path_;
};

Result<std::unique_ptr<RecordReader>> open_protobuf_json(const std::string& path) {
  OPBENCH_TRY(JsonValues values, JsonValues::open(path, {}));
  return std::unique_ptr<RecordReader>(
      std::make_unique<ProtobufJsonMessageReader>(std::move(values), path));
}

Result<std::string> encode_protobuf_json_as(const AnyRecord& record,
                                            const ProtobufOptions& options) {
  const auto* trial = std::get_if<TuningRecord>(&record);
  if (trial == nullptr) {
    return Error{ErrorCode::kInvalidInput, "protobuf-json has no form for benchmark records"};
  }
  OPBENCH_TRY(std::string line, encode_protobuf_json(*trial, options));
  return line + "\n";
}

Result<std::string> protobuf_json_encode(const AnyRecord& record) {
  return encode_protobuf_json_as(record, {});
}

Result<std::string> encode_protobuf_json_for_seed(const AnyRecord& record) {
  return encode_protobuf_json_as(record, {.seed_compat = true});
}

}  // namespace

CodecDef protobuf_json_codec() {
  return {.name = "protobuf-json",
          .summary = "tuning records as proto3 JSON, one a line (.atlog.jsonl)",
          .recognises = recognises_protobuf_json,
          .open = open_protobuf_json,
          .encode = protobuf_json_encode,
          .encode_for_seed = encode_protobuf_json_for_seed};
}

}  // namespace opbench
