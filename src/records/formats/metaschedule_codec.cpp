#include <filesystem>
#include <set>
#include <vector>

#include "base/files/line_reader.h"
#include "records/formats/codec.h"
#include "records/formats/line_records.h"
#include "records/formats/logs/metaschedule_decoder.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestModule = size_t{64} << 20;
constexpr const char* kRecords = "database_tuning_record.json";

/// `["<decimal hash>","` begins a workload, `[<index>,[` a record.
bool has_begin(std::string_view head, bool is_workload) {
  std::string begin;
  constexpr size_t kEnough = 60;
  for (const char c : head.substr(0, kEnough)) {
    if (c != ' ') begin += c;
  }
  size_t at = is_workload ? 2 : 1;
  if (!begin.starts_with(is_workload ? "[\"" : "[")) return false;
  const size_t digits = at;
  while (at < begin.size() && begin[at] >= '0' && begin[at] <= '9') ++at;
  if (at == digits) return false;
  return begin.substr(at).starts_with(is_workload ? "\",\"" : ",[");
}

bool recognises_metaschedule(const FileHead& head) {
  std::error_code ignored;
  if (head.is_folder) return fs::exists(fs::path(head.path) / kRecords, ignored);
  return has_begin(head.bytes, false) || has_begin(head.bytes, true);
}

/// The name with one word for another, if it has that word.
std::string with_word(const fs::path& path, const std::string& from, const std::string& to) {
  std::string name = path.filename().string();
  const size_t at = name.rfind(from);
  if (at == std::string::npos) return (path.parent_path() / ("database_" + to + ".json")).string();
  return (path.parent_path() / name.replace(at, from.size(), to)).string();
}

struct DatabasePaths {
  std::string records;
  std::string workloads;
};

Result<DatabasePaths> paths_of(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    const fs::path folder(path);
    return DatabasePaths{(folder / kRecords).string(),
                         (folder / "database_workload.json").string()};
  }
  OPBENCH_TRY(LineReader lines, LineReader::open(path, kLongestModule));
  OPBENCH_TRY(const std::optional<Line> first, lines.next());
  if (first && has_begin(first->text, true)) {
    return DatabasePaths{with_word(path, "workload", "tuning_record"), path};
  }
  return DatabasePaths{path, with_word(path, "tuning_record", "workload")};
}

/// Lines of the workloads, by their index.
Result<std::vector<std::string>> read_workloads(const std::string& path) {
  Result<LineReader> lines = LineReader::open(path, kLongestModule);
  if (!lines) {
    return Error(lines.error())
        .with("needed", "a MetaSchedule database is two files, of workloads and of records");
  }
  std::vector<std::string> workloads;
  while (true) {
    OPBENCH_TRY(const std::optional<Line> line, lines->next());
    if (!line) return workloads;
    workloads.emplace_back(line->text);
  }
}

/// Says at the end that targets share a database, which TVM's own queries do not tell apart.
class DatabaseReader : public RecordReader {
 public:
  explicit DatabaseReader(std::unique_ptr<RecordReader> lines) : lines_(std::move(lines)) {}

  Result<std::optional<ReadItem>> next() override {
    OPBENCH_TRY(std::optional<ReadItem> item, lines_->next());
    if (item) {
      const auto* trial = item->record ? std::get_if<TuningRecord>(&*item->record) : nullptr;
      if (trial != nullptr && targets_.size() < 2) targets_.insert(trial->target);
      return item;
    }
    if (targets_.size() < 2) return item;
    targets_.clear();
    ReadItem warning{.is_of_file = true};
    warning.issues.push_back(
        {"W_MIXED_TARGETS", "", "records of several targets, which MetaSchedule's queries mix"});
    return std::optional<ReadItem>(std::move(warning));
  }

 private:
  std::unique_ptr<RecordReader> lines_;
  std::set<std::string> targets_;
};

Result<std::unique_ptr<RecordReader>> open_metaschedule(const std::string& path) {
  OPBENCH_TRY(const DatabasePaths paths, paths_of(path));
  OPBENCH_TRY(std::vector<std::string> lines_of, read_workloads(paths.workloads));
  const auto workloads = std::make_shared<const std::vector<std::string>>(std::move(lines_of));
  const auto decoder = std::make_shared<MetascheduleDecoder>();
  const auto find = [workloads](int64_t index) {
    const bool is_there = index >= 0 && index < std::ssize(*workloads);
    return is_there ? std::string_view((*workloads)[static_cast<size_t>(index)])
                    : std::string_view();
  };
  const auto decode = [decoder, find](std::string_view line) {
    DecodedLine decoded = decoder->decode(line, find);
    ReadItem item{.issues = std::move(decoded.issues)};
    if (decoded.record) item.record = std::move(*decoded.record);
    return item;
  };
  OPBENCH_TRY(std::unique_ptr<RecordReader> lines,
              read_line_records(paths.records, {.decode = decode, .comment_begins = ""}));
  return std::unique_ptr<RecordReader>(std::make_unique<DatabaseReader>(std::move(lines)));
}

}  // namespace

CodecDef metaschedule_codec() {
  return {.name = "metaschedule",
          .summary = "databases of MetaSchedule: the folder or one of its two files; only read",
          .recognises = recognises_metaschedule,
          .open = open_metaschedule};
}

}  // namespace opbench
