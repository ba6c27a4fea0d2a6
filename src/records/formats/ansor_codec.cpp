#include "records/formats/codec.h"
#include "records/formats/line_records.h"
#include "records/formats/logs/ansor_decoder.h"

namespace opbench {
namespace {

bool recognises_ansor(const FileHead& head) { return log_kind_of(head.bytes) == LogKind::kAnsor; }

Result<std::unique_ptr<RecordReader>> open_ansor(const std::string& path) {
  const auto decoder = std::make_shared<AnsorDecoder>();
  return read_line_records(path, {.decode = [decoder](std::string_view line) {
                             DecodedLine decoded = decoder->decode(line);
                             ReadItem item{.issues = std::move(decoded.issues)};
                             if (decoded.record) item.record = std::move(*decoded.record);
                             return item;
                           }});
}

}  // namespace

CodecDef ansor_codec() {
  return {.name = "ansor",
          .summary = "logs of Ansor (auto_scheduler), versions 0.2 to 0.6; only read",
          .recognises = recognises_ansor,
          .open = open_ansor};
}

}  // namespace opbench
