#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/files/line_reader.h"
#include "base/numbers/number.h"
#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/utf8_text.h"

namespace opbench {
namespace {

constexpr std::string_view kBenchdnnTemplate = "Output template: ";
constexpr std::string_view kBenchdnnRepro = "__REPRO: ";

std::vector<std::string> parts_of_csv(std::string_view line) {
  std::vector<std::string> parts(1);
  for (const char c : line) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string unquoted_csv(std::string text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

/// A column of a template: `%-time%` is the smallest time, `%0time%` the mean, `%+time%` the
/// largest; a K, M or G before the word is its unit.
struct BenchdnnColumn {
  std::string word;      ///< time, flops, …; of text that is no column the text itself
  char statistic = '-';  ///< as benchdnn counts a column without a sign
  double factor = 1;
  bool is_column = false;
};

BenchdnnColumn column_of_template(const std::string& text) {
  if (text.size() < 3 || text.front() != '%' || text.back() != '%') return {.word = text};
  BenchdnnColumn column{.is_column = true};
  std::string word = text.substr(1, text.size() - 2);
  const auto take = [&](std::string_view signs) {
    const bool has_one = word.size() > 1 && signs.find(word.front()) != std::string_view::npos;
    const char sign = has_one ? word.front() : '\0';
    if (has_one) word.erase(0, 1);
    return sign;
  };
  if (const char sign = take("-0+"); sign != '\0') column.statistic = sign;
  const char unit = take("KMG");
  column.factor = unit == 'K' ? 1e3 : unit == 'M' ? 1e6 : unit == 'G' ? 1e9 : 1;
  column.word = word;
  return column;
}

/// benchdnn's output in performance mode: a template, then a line a problem; times in
/// milliseconds. Problems that were not run stand between, with a word and a reason.
class BenchdnnReader : public ImportReader {
 public:
  BenchdnnReader(LineReader lines, const std::string& path)
      : ImportReader(path), lines_(std::move(lines)) {}

 protected:
  Result<bool> read_more() override {
    OPBENCH_TRY(const std::optional<Line> line, lines_.next());
    if (!line) return false;
    const std::string whole = to_utf8(line->text);
    std::string_view text = whole;
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    Issues issues;
    if (text.starts_with(kBenchdnnTemplate)) {
      columns_.clear();
      for (const std::string& part : parts_of_csv(text.substr(kBenchdnnTemplate.size()))) {
        columns_.push_back(column_of_template(part));
      }
    } else if (text.starts_with("perf,")) {
      take_problem(std::string(text), line->number, issues);
    } else if (text.find(kBenchdnnRepro) != std::string_view::npos) {
      take_end(text, line->number);
    }
    report(line->number, std::move(issues));
    return true;
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    record.engine = "onednn";
    record.scope = "unit";
    record.source_form = "benchdnn";
    assume_timestamp(record);
    assume_hardware(record);
    set_result(group);
    if (record.status != "ok") record.runtime_ms_min.reset();
  }

 private:
  Group& new_group(const std::string& problem, int64_t line) {
    Group& group = this->group(std::to_string(line), line);
    group.record.workload = without_controls("benchdnn." + problem);
    group.record.reproducer = "benchdnn --mode=P " + problem;
    return group;
  }

  void take_problem(const std::string& text, int64_t line, Issues& issues) {
    if (columns_.empty()) {
      issues.push_back(
          {"E_KEYS", "", "no line \"Output template: …\" before it says what its columns are"});
      return;
    }
    std::vector<std::string> parts = parts_of_csv(text);
    join_problem(parts);
    if (parts.size() != columns_.size()) {
      issues.push_back({"E_COUNT", "",
                        std::to_string(parts.size()) + " columns of " +
                            std::to_string(columns_.size()) + " in the template"});
      return;
    }
    std::string problem = value_of("prb", parts);
    if (problem.empty()) problem = value_of("DESC", parts);
    if (problem.empty()) {
      issues.push_back({"E_MISSING", "prb", "the template names no problem (%prb% or %DESC%)"});
      return;
    }
    add_times(parts, new_group(unquoted_csv(problem), line), issues);
  }

  /// The problem may hold commas of its own: what there are too many belong to it.
  void join_problem(std::vector<std::string>& parts) const {
    const auto place = std::ranges::find_if(columns_, [](const BenchdnnColumn& column) {
      return column.is_column && (column.word == "prb" || column.word == "DESC");
    });
    if (place == columns_.end()) return;
    const auto at = static_cast<size_t>(place - columns_.begin());
    while (parts.size() > columns_.size() && at + 1 < parts.size()) {
      parts[at] += "," + parts[at + 1];
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
  }

  std::string value_of(std::string_view word, const std::vector<std::string>& parts) const {
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].is_column && columns_[i].word == word) return parts[i];
    }
    return {};
  }

  void add_times(const std::vector<std::string>& parts, Group& group, Issues& issues) const {
    BenchmarkRecord& record = group.record;
    Json config = Json::object();
    for (size_t i = 0; i < columns_.size(); ++i) {
      const BenchdnnColumn& column = columns_[i];
      if (!column.is_column) continue;
      if (column.word == "engine" || column.word == "impl") {
        if (!parts[i].empty()) config[column.word] = parts[i];
        continue;
      }
      if (column.word == "name" && !unquoted_csv(parts[i]).empty()) {
        record.labels = std::map<std::string, std::string>{{"name", unquoted_csv(parts[i])}};
      }
      add_number(column, parts[i], group, issues);
    }
    if (!config.empty()) record.engine_config = JsonText{canonical_text(config)};
    if (record.runtime_ms_mean || !record.runtime_ms_min) return;
    record.runtime_ms_mean = record.runtime_ms_min;
    record.metadata = JsonText{canonical_text(
        Json::object({{"runtime_ms_mean_reason", "the template has the smallest time alone"}}))};
  }

  static void add_number(const BenchdnnColumn& column, const std::string& text, Group& group,
                         Issues& issues) {
    constexpr std::string_view kNumbers[] = {"time", "ctime", "ops",   "flops",
                                             "bw",   "freq",  "clocks"};
    if (std::ranges::find(kNumbers, column.word) == std::end(kNumbers)) return;
    const auto value = parse_number(text);
    if (!value) {
      issues.push_back({"E_TYPE", column.word, "no number: \"" + text.substr(0, 40) + "\""});
      return;
    }
    BenchmarkRecord& record = group.record;
    if (column.word == "time") {
      const double ms = *value * column.factor;
      if (column.statistic == '0' && ms > 0) record.runtime_ms_mean = ms;
      if (column.statistic == '-' && ms > 0) record.runtime_ms_min = ms;
      if (column.statistic == '+') group.values["max_ms"] = {ms};
      return;
    }
    const char* kStatistics = column.statistic == '0'   ? "mean_"
                              : column.statistic == '+' ? "max_"
                                                        : "";
    const std::string name = column.word == "ctime"   ? "create_time_ms"
                             : column.word == "flops" ? "flops_per_s"
                             : column.word == "bw"    ? "bytes_per_s"
                                                      : column.word;
    group.values[kStatistics + name] = {*value * column.factor};
  }

  /// `3:UNIMPLEMENTED (reason) __REPRO: --conv …`: a problem that has no time.
  void take_end(std::string_view text, int64_t line) {
    const size_t colon = text.find(':');
    const size_t repro = text.find(kBenchdnnRepro);
    const bool has_number =
        colon != std::string_view::npos && colon > 0 &&
        text.substr(0, colon).find_first_not_of("0123456789") == std::string_view::npos;
    if (!has_number || colon > repro) return;
    std::string_view how = text.substr(colon + 1, repro - colon - 1);
    while (!how.empty() && how.back() == ' ') how.remove_suffix(1);
    const std::string word(how.substr(0, how.find(' ')));
    int64_t error = 0;
    if (word == "UNIMPLEMENTED" || word == "SKIPPED") error = 8;
    if (word == "INVALID_ARGUMENTS") error = 1;
    if (word == "FAILED") error = how.find("errors:") != std::string_view::npos ? 5 : 4;
    if (error == 0) return;  // PASSED, MISTRUSTED, LISTED, …: nothing that failed
    Group& group = new_group(std::string(text.substr(repro + kBenchdnnRepro.size())), line);
    group.record.status = "error";
    group.record.error_no = error;
    group.record.error_message = "benchdnn: " + std::string(how);
  }

  LineReader lines_;
  std::vector<BenchdnnColumn> columns_;
};

bool recognises_benchdnn(const FileHead& head) {
  for (size_t at = 0; at < head.bytes.size();) {
    const std::string_view line = head.bytes.substr(at, head.bytes.find('\n', at) - at);
    if (line.starts_with("Output template: perf,") || line.starts_with("perf,")) return true;
    if (line.starts_with("{") || line.starts_with("[")) return false;
    at += line.size() + 1;
  }
  return false;
}

Result<std::unique_ptr<RecordReader>> open_benchdnn(const std::string& path) {
  OPBENCH_TRY(LineReader lines, LineReader::open(path));
  return std::unique_ptr<RecordReader>(std::make_unique<BenchdnnReader>(std::move(lines), path));
}

}  // namespace

CodecDef benchdnn_codec() {
  return {.name = "benchdnn",
          .summary = "benchdnn's output in performance mode; only read",
          .recognises = recognises_benchdnn,
          .open = open_benchdnn};
}

}  // namespace opbench
