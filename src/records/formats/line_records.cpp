#include "records/formats/line_records.h"

#include "base/files/line_reader.h"

namespace opbench {
namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

class LineRecordReader : public RecordReader {
 public:
  LineRecordReader(LineReader lines, std::string path, LineRules rules)
      : lines_(std::move(lines)), path_(std::move(path)), rules_(std::move(rules)) {}

  Result<std::optional<ReadItem>> next() override {
    while (true) {
      OPBENCH_TRY(const std::optional<Line> line, lines_.next());
      if (!line) return std::optional<ReadItem>();
      const bool is_comment =
          !line->text.empty() &&
          rules_.comment_begins.find(line->text.front()) != std::string_view::npos;
      if (is_comment || (!line->is_too_long && is_blank(line->text))) continue;
      return std::optional<ReadItem>(item_of(*line));
    }
  }

 private:
  ReadItem item_of(const Line& line) {
    ReadItem item;
    if (line.is_too_long) {
      item.issues.push_back({line.is_torn ? "E_TORN" : "E_JSON", "", "line beyond 16 MiB", 1});
    } else {
      item = rules_.decode(line.text);
    }
    item.line = line.number;
    if (line.is_torn) item.torn_at = lines_.bytes() - static_cast<int64_t>(line.text.size());
    item.text = line.text;
    if (line.is_torn && !item.record) {
      for (RecordIssue& issue : item.issues) {
        if (issue.code != "E_JSON") continue;
        issue.code = "E_TORN";
        issue.message = "the last line was cut when it was written: " + issue.message;
      }
    }
    TuningRecord* trial = item.record ? std::get_if<TuningRecord>(&*item.record) : nullptr;
    const bool is_kept = rules_.keeps_origin && trial != nullptr && !trial->origin.file.empty();
    if (trial != nullptr && !is_kept) {
      trial->origin.file = path_;
      trial->origin.line = line.number;
    }
    return item;
  }

  LineReader lines_;
  std::string path_;
  LineRules rules_;
};

}  // namespace

Result<std::unique_ptr<RecordReader>> read_line_records(const std::string& path, LineRules rules) {
  OPBENCH_TRY(LineReader lines, LineReader::open(path));
  return std::unique_ptr<RecordReader>(
      std::make_unique<LineRecordReader>(std::move(lines), path, std::move(rules)));
}

}  // namespace opbench
