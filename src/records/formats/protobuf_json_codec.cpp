#include "records/formats/benchmark_file.h"
#include "records/formats/codec.h"
#include "records/formats/tuning_codec.h"
#include "records/json/json_kind.h"
#include "records/json/json_values.h"

namespace opbench {
namespace {

bool recognises(const FileHead& head) { return json_kind(head.bytes) == JsonKind::kTuningMessage; }

/// One message a line, or pretty-printed, or the items of an array.
class MessageReader : public RecordReader {
 public:
  MessageReader(JsonValues values, std::string path)
      : values_(std::move(values)), path_(std::move(path)) {}

  Result<std::optional<ReadItem>> next() override {
    OPBENCH_TRY(std::optional<JsonPiece> piece, values_.next());
    if (!piece) return std::optional<ReadItem>();
    if (piece->issue) return std::optional(item_of_issue(std::move(*piece->issue), piece->line));
    DecodedLine decoded = decode_protobuf_json(piece->text);
    ReadItem item{.issues = std::move(decoded.issues), .line = piece->line, .text = piece->text};
    for (RecordIssue& issue : item.issues) {
      if (piece->is_torn && issue.code == "E_JSON") {
        issue.code = "E_TORN";
        issue.message = "the last line was cut when it was written: " + issue.message;
      }
    }
    if (!decoded.record) return std::optional(std::move(item));
    if (decoded.record->origin.file.empty()) {
      decoded.record->origin.file = path_;
      decoded.record->origin.line = piece->line;
    }
    item.record = std::move(*decoded.record);
    return std::optional(std::move(item));
  }

 private:
  JsonValues values_;
  std::string path_;
};

Result<std::unique_ptr<RecordReader>> open(const std::string& path) {
  OPBENCH_TRY(JsonValues values, JsonValues::open(path, {}));
  return std::unique_ptr<RecordReader>(std::make_unique<MessageReader>(std::move(values), path));
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
