#include "watching/series/csv_text.h"

#include <fmt/format.h>

#include "base/text/ascii.h"

namespace opbench {
namespace {

char separator_of(std::string_view text) {
  const std::string_view header = text.substr(0, text.find('\n'));
  for (const char separator : {',', ';', '\t'}) {
    if (header.find(separator) != std::string_view::npos) return separator;
  }
  return ',';
}

class CsvScan {
 public:
  explicit CsvScan(std::string_view text) : text_(text), separator_(separator_of(text)) {}

  /// The next line; without cells at the end.
  Result<CsvLine> next() {
    CsvLine line{.number = number_};
    while (at_ < text_.size()) {
      OPBENCH_TRY(std::string cell, take_cell(line.number));
      line.cells.push_back(std::move(cell));
      if (at_ >= text_.size()) return line;
      const char end = text_[at_++];
      if (end == separator_) {
        if (at_ >= text_.size()) line.cells.emplace_back();
        continue;
      }
      ++number_;
      return line;
    }
    return line;
  }

 private:
  /// Up to the separator or the line end, which stays.
  Result<std::string> take_cell(int64_t line) {
    if (text_[at_] == '"') return take_quoted(line);
    size_t end = at_;
    while (end < text_.size() && text_[end] != separator_ && text_[end] != '\n') ++end;
    const std::string_view cell = trimmed(text_.substr(at_, end - at_));
    at_ = end;
    return std::string(cell);
  }

  Result<std::string> take_quoted(int64_t line) {
    std::string cell;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') ++number_;
      if (text_[at_] != '"') {
        cell += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        cell += text_[++at_];
      } else {
        ++at_;
        while (at_ < text_.size() && (text_[at_] == '\r' || text_[at_] == ' ')) ++at_;
        if (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n') {
          return invalid_input(fmt::format("line {}: text follows a quoted cell", line));
        }
        return cell;
      }
    }
    return invalid_input(fmt::format("line {}: a quote does not end", line));
  }

  std::string_view text_;
  char separator_;
  size_t at_ = 0;
  int64_t number_ = 1;
};

bool is_blank(const CsvLine& line) { return line.cells.size() == 1 && line.cells[0].empty(); }

}  // namespace

Result<std::vector<CsvLine>> csv_lines(std::string_view text) {
  CsvScan scan(text);
  std::vector<CsvLine> lines;
  while (true) {
    OPBENCH_TRY(CsvLine line, scan.next());
    if (line.cells.empty()) return lines;
    if (is_blank(line)) continue;
    if (!lines.empty() && line.cells.size() != lines[0].cells.size()) {
      return invalid_input(fmt::format("line {} has {} cells, the header has {}", line.number,
                                       line.cells.size(), lines[0].cells.size()));
    }
    lines.push_back(std::move(line));
  }
}

}  // namespace opbench
