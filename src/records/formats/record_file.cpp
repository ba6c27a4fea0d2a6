#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/errors/suggestion.h"
#include "base/files/text_file.h"
#include "records/formats/codec.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
constexpr size_t kHeadBytes = size_t{64} << 10;

Result<std::string> read_head(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             &std::fclose);
  if (!file) {
    return Error{ErrorCode::kInvalidInput, "cannot read \"" + path + "\": " + std::strerror(errno)};
  }
  std::string head(kHeadBytes, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
  if (std::ferror(file.get()) != 0) {
    return Error{ErrorCode::kSystem, "cannot read \"" + path + "\": " + std::strerror(errno)};
  }
  return head;
}

/// Nothing but comments and blank lines, as far as the head goes.
bool is_without_records(std::string_view head) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    if (!line.starts_with('#') && line.find_first_not_of(" \t\r") != std::string_view::npos) {
      return false;
    }
    head.remove_prefix(std::min(line.size() + 1, head.size()));
  }
  return true;
}

struct Compression {
  std::string_view begin;  ///< how its files begin
  const char* unpack;
};
constexpr Compression kCompressions[] = {{"\x1f\x8b", "gzip -dc"},
                                         {"\xfd\x37zXZ", "xz -dc"},
                                         {"\x28\xb5\x2f\xfd", "zstd -dc"},
                                         {"BZh", "bzip2 -dc"},
                                         {"PK\x03\x04", "unzip -p"}};

Error not_recognised(const FileHead& head) {
  const std::string quoted = "\"" + head.path + "\"";
  for (const Compression& compression : kCompressions) {
    if (!head.bytes.starts_with(compression.begin)) continue;
    return Error{ErrorCode::kInvalidInput, quoted + " is compressed"}.with(
        "unpack it first", compression.unpack + (" " + quoted + " > FILE"));
  }
  if (head.bytes.starts_with("ConfigSpace (")) {
    return Error{ErrorCode::kInvalidInput,
                 quoted + " holds printed config spaces of AutoTVM, not JSON and no records"};
  }
  std::vector<std::string> names;
  for (const CodecDef& codec : codec_table().all()) {
    if (codec.open != nullptr) names.push_back(codec.name);
  }
  const std::string what = head.is_folder ? "the folder " : "";
  return Error{ErrorCode::kInvalidInput, what + quoted + " is in no known format"}.with(
      "known", join(names));
}

}  // namespace

Result<RecordFile> open_records(const std::string& path) {
  std::error_code ignored;
  FileHead head{.path = path, .is_folder = fs::is_directory(path, ignored)};
  std::string bytes;
  if (!head.is_folder && fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    return Error{ErrorCode::kInvalidInput,
                 "cannot read \"" + path + "\": records are read from files, not from pipes"}
        .with("instead", "write them to a file first, or give it as < FILE");
  }
  if (!head.is_folder) {
    OPBENCH_TRY(bytes, read_head(path));
    head.bytes = std::string_view(bytes).substr(utf8_mark_bytes(bytes));
  }
  for (const CodecDef& codec : codec_table().all()) {
    if (codec.recognises == nullptr || !codec.recognises(head)) continue;
    OPBENCH_TRY(std::unique_ptr<RecordReader> reader, codec.open(path));
    return RecordFile{&codec, std::move(reader)};
  }
  if (!head.is_folder && bytes.size() < kHeadBytes && is_without_records(head.bytes)) {
    return RecordFile{};
  }
  OPBENCH_CHECK(check_encoding(bytes, path));
  return not_recognised(head);
}

}  // namespace opbench
