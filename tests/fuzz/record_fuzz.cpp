#include "record_fuzz.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/numbers/random.h"
#include "random_tuning_record.h"
#include "records/formats/codec.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
constexpr size_t kMostSeedBytes = 6000;

Error broken(const std::string& what) { return Error{ErrorCode::kSystem, what}; }

std::string repeated(const std::string& text, size_t count) {
  std::string result;
  for (; count > 0; --count) result += text;
  return result;
}

/// Pieces that parsers trip over.
const std::vector<std::string>& odd_pieces() {
  static const std::vector<std::string> kPieces = {"NaN",
                                                   "Infinity",
                                                   "-Infinity",
                                                   "1e999",
                                                   "-0.0",
                                                   "1e-400",
                                                   "\\ud800",
                                                   "\xff",
                                                   "\xc0\xaf",
                                                   std::string(1, '\0'),
                                                   "null",
                                                   "true",
                                                   "“",
                                                   "\"\"",
                                                   "{}",
                                                   "[]",
                                                   "\\u0000",
                                                   "\n",
                                                   "#",
                                                   "\t",
                                                   "123456789012345678901234567890",
                                                   "\"a\":1,\"a\":2,",
                                                   repeated("[", 300),
                                                   repeated("{\"a\":", 300),
                                                   repeated("x", 70'000),
                                                   repeated("[[1,2],", 200),
                                                   "18446744073709551615",
                                                   "-9223372036854775808"};
  return kPieces;
}

std::string mutated(std::string text, const std::vector<std::string>& files, Random& random) {
  constexpr size_t kLongestPiece = 40;
  for (uint64_t edits = 1 + random.below(6); edits > 0 && !text.empty(); --edits) {
    const size_t at = random.below(text.size());
    const std::string& other = files[random.below(files.size())];
    const size_t from = random.below(other.size());
    switch (random.below(7)) {
      case 0:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text[at] = "0123456789-+.eE[]{},:\"\\ntfN"[random.below(27)];
        break;
      case 2:
        text.erase(at, 1 + random.below(kLongestPiece));
        break;
      case 3:
        text.insert(at, other.substr(from, 1 + random.below(kLongestPiece)));
        break;
      case 4:
        text.insert(at, odd_pieces()[random.below(odd_pieces().size())]);
        break;
      case 5:
        text.insert(at, text.substr(at, 1 + random.below(kLongestPiece)));
        break;
      default:
        if (random.below(4) == 0) text.resize(at);
    }
  }
  return text;
}

/// Whole lines, no more than a few.
std::string beginning(const std::string& content) {
  if (content.size() <= kMostSeedBytes) return content;
  const size_t newline = content.find('\n', kMostSeedBytes);
  const std::string head = content.substr(0, newline == std::string::npos ? newline : newline + 1);
  return head.size() <= 4 * kMostSeedBytes ? head : "";
}

void add_folder(const fs::path& folder, std::vector<std::string>& files) {
  std::error_code ignored;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    const auto content = read_file(path);
    if (content && !beginning(*content).empty()) files.push_back(beginning(*content));
  }
}

/// Every format's form of a few records.
void add_written(std::vector<std::string>& files) {
  Random random(1);
  for (int i = 0; i < 12; ++i) {
    TuningRecord record = random_tuning_record(random);
    if (i % 2 == 0) record.task = "dense";
    for (const CodecDef& codec : codec_table().all()) {
      const auto bytes = codec.encode ? codec.encode(record) : Error{ErrorCode::kInvalidInput, ""};
      if (bytes) files.push_back(codec.file_begin + *bytes);
    }
  }
}

/// The file's records; nothing if it is in no known format.
Result<std::optional<std::vector<AnyRecord>>> read_all(const std::string& path) {
  auto file = open_records(path);
  if (!file && file.error().code == ErrorCode::kSystem) return file.error();
  if (!file) return std::optional<std::vector<AnyRecord>>();
  std::vector<AnyRecord> records;
  while (file->reader) {
    auto item = file->reader->next();
    if (!item) return item.error();
    if (!*item) break;
    const bool has_error = std::ranges::any_of((*item)->issues, &RecordIssue::is_error);
    if ((*item)->record && has_error) return broken("a record with an error was given out");
    if (!(*item)->record && !has_error && !(*item)->is_of_file) {
      return broken("neither a record nor an error was given out");
    }
    if ((*item)->record) records.push_back(std::move(*(*item)->record));
  }
  return std::optional(std::move(records));
}

/// What a codec writes it must read, and write again to the byte.
Result<void> check_codec(const CodecDef& codec, const AnyRecord& record, const fs::path& path) {
  if (!codec.encode) return {};
  const auto bytes = codec.encode(record);
  constexpr size_t kMostRecognised = 60'000;  // of a first record
  if (!bytes || bytes->size() > kMostRecognised) return {};
  OPBENCH_CHECK(write_file(path, codec.file_begin + *bytes));
  OPBENCH_TRY(const auto again, read_all(path.string()));
  const std::string written = codec.name + " wrote " + bytes->substr(0, 8000);
  if (!again || again->size() != 1) return broken(written + ", which is not read back");
  const auto twice = codec.encode(again->front());
  if (!twice || *twice != *bytes) {
    return broken(written + ", and then " + (twice ? twice->substr(0, 8000) : "nothing"));
  }
  return {};
}

int64_t peak_memory_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

Result<RecordFuzz> RecordFuzz::make(uint64_t seed, const std::string& fixtures,
                                    const std::vector<std::string>& folders) {
  OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
  RecordFuzz fuzz(seed, std::move(folder));
  for (const char* name : {"records", "logs", "logs/metaschedule", "asv/results/machine-a"}) {
    add_folder(fs::path(fixtures) / name, fuzz.files_);
  }
  for (const std::string& path : folders) add_folder(path, fuzz.files_);
  add_written(fuzz.files_);
  return fuzz;
}

std::string RecordFuzz::input(uint64_t number) const {
  Random random(seed_, std::to_string(number));
  const std::string& file = files_[random.below(files_.size())];
  return mutated(file, files_, random);
}

Result<void> RecordFuzz::run(const std::string& bytes) const {
  const fs::path path = folder_.path() / "input";
  OPBENCH_CHECK(write_file(path, bytes));
  OPBENCH_TRY(const auto records, read_all(path.string()));
  if (!records || records->empty()) return {};
  for (const CodecDef& codec : codec_table().all()) {
    OPBENCH_CHECK(check_codec(codec, records->back(), folder_.path() / "written"));
  }
  return {};
}

Result<void> RecordFuzz::run_long_lines(int64_t bytes) const {
#ifdef __SANITIZE_ADDRESS__
  constexpr bool kIsSanitized = true;  // its allocator keeps what was freed
#else
  constexpr bool kIsSanitized = false;
#endif
  constexpr int64_t kMostKib = 160 << 10;
  const fs::path path = folder_.path() / "long";
  for (const char* begin :
       {R"({"input": ["llvm", "t", ")", R"({"i": [["[\"f\"]", ")",
        R"({"target": {"a": 1}, "task": ")",
        R"({"schema_version": "0.2", "workload": "a", "engine": ")", R"([{"workload": ")",
        R"([{"cat": "Node", "ph": "X", "ts": 1, "dur": 1, "name": ")", R"({"context": {"a": ")",
        R"({"results": [{"command": ")", "OPBTLOG1\xff\xff\xff\x7f"}) {
    const int64_t before = peak_memory_kib();
    OPBENCH_CHECK(write_file(path, begin));
    // The rest is a hole of zeros, which takes no room.
    fs::resize_file(path, static_cast<uintmax_t>(bytes));
    OPBENCH_TRY(const auto records, read_all(path.string()));
    fs::remove(path);
    if (records && !records->empty()) return broken(std::string(begin) + "… gave a record");
    if (!kIsSanitized && peak_memory_kib() - before > kMostKib) {
      return broken(std::string(begin) + "… took " +
                    std::to_string((peak_memory_kib() - before) >> 10) + " MiB");
    }
  }
  return {};
}

}  // namespace opbench
