#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "records/formats/codec.h"
#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

constexpr std::string_view kMagic = "OPBTLOG1";
constexpr uint64_t kMostBytes = uint64_t{16} << 20;

std::string varint_of(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

/// Messages, each after its length.
class ProtobufMessageReader : public RecordReader {
 public:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  ProtobufMessageReader(File file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}

  Result<std::optional<ReadItem>> next() override {
    if (is_over_) return std::optional<ReadItem>();
    ReadItem item{.line = ++number_};
    item.issues = read_message(item);
    is_over_ = is_over_ || std::feof(file_.get()) != 0;
    if (std::ferror(file_.get()) != 0) {
      return Error{ErrorCode::kSystem, "cannot read \"" + path_ + "\": " + std::strerror(errno)};
    }
    const bool is_end = is_over_ && item.issues.empty() && !item.record;
    return is_end ? std::optional<ReadItem>() : std::optional(std::move(item));
  }

 private:
  std::vector<RecordIssue> fault(const char* code, const std::string& message) {
    return {{code, "", message}};
  }

  /// The issues of the next message, which becomes the item's record; none and no record at the
  /// end of the file.
  std::vector<RecordIssue> read_message(ReadItem& item) {
    begin_ = ::ftello(file_.get());
    uint64_t length = 0;
    for (int shift = 0;; shift += 7) {
      const int byte = std::fgetc(file_.get());
      if (byte == EOF) return shift == 0 ? std::vector<RecordIssue>() : torn(item);
      length |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) break;
      if (shift == 28) {
        is_over_ = true;  // where the next message begins is not known
        return fault("E_PROTOBUF", "no length of a message stands here; the rest is not read");
      }
    }
    if (length == 0) {  // what a crash leaves of a file whose end was never written
      is_over_ = true;
      return fault("E_PROTOBUF", "an empty message; the rest is not read");
    }
    if (length > kMostBytes) {
      return skip(length) ? fault("E_PROTOBUF", "message beyond 16 MiB") : torn(item);
    }
    bytes_.resize(length);
    if (std::fread(bytes_.data(), 1, length, file_.get()) < length) return torn(item);
    DecodedLine decoded = decode_protobuf(bytes_);
    if (decoded.record) {
      TuningOrigin& origin = decoded.record->origin;
      if (origin.file.empty()) {
        origin.file = path_;
        origin.line = number_;
      }
      item.record = std::move(*decoded.record);
    }
    return std::move(decoded.issues);
  }

  std::vector<RecordIssue> torn(ReadItem& item) {
    is_over_ = true;
    item.torn_at = begin_;
    return fault("E_TORN", "the last message was cut when it was written");
  }

  bool skip(uint64_t count) {
    bytes_.resize(size_t{1} << 16);
    while (count > 0) {
      const size_t part = std::min<uint64_t>(count, bytes_.size());
      if (std::fread(bytes_.data(), 1, part, file_.get()) < part) return false;
      count -= part;
    }
    return true;
  }

  File file_;
  std::string path_;
  std::string bytes_;
  int64_t number_ = 0;
  int64_t begin_ = 0;  ///< of the message, in bytes
  bool is_over_ = false;
};

bool recognises_protobuf(const FileHead& head) { return head.bytes.starts_with(kMagic); }

Result<std::unique_ptr<RecordReader>> open_protobuf(const std::string& path) {
  ProtobufMessageReader::File file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  std::string magic(kMagic.size(), '\0');
  if (!file) {
    return Error{ErrorCode::kInvalidInput, "cannot read \"" + path + "\": " + std::strerror(errno)};
  }
  if (std::fread(magic.data(), 1, magic.size(), file.get()) < magic.size() || magic != kMagic) {
    return Error{ErrorCode::kInvalidInput, "\"" + path + "\" does not begin with OPBTLOG1"};
  }
  return std::unique_ptr<RecordReader>(
      std::make_unique<ProtobufMessageReader>(std::move(file), path));
}

Result<std::string> encode_protobuf_as(const AnyRecord& record, const ProtobufOptions& options) {
  const auto* trial = std::get_if<TuningRecord>(&record);
  if (trial == nullptr) {
    return Error{ErrorCode::kInvalidInput, "protobuf has no form for benchmark records"};
  }
  const std::string bytes = encode_protobuf(*trial, options);
  if (bytes.size() > kMostBytes) {
    return Error{ErrorCode::kInvalidInput, "the record takes more than 16 MiB"};
  }
  return varint_of(bytes.size()) + bytes;
}

Result<std::string> protobuf_encode(const AnyRecord& record) {
  return encode_protobuf_as(record, {});
}

Result<std::string> encode_protobuf_for_seed(const AnyRecord& record) {
  return encode_protobuf_as(record, {.seed_compat = true});
}

}  // namespace

CodecDef protobuf_codec() {
  return {.name = "protobuf",
          .summary = "tuning records as protobuf messages (.atlog.pb, proto/tuning_record.proto)",
          .recognises = recognises_protobuf,
          .open = open_protobuf,
          .encode = protobuf_encode,
          .encode_for_seed = encode_protobuf_for_seed,
          .file_begin = std::string(kMagic)};
}

}  // namespace opbench
