#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

#include "base/numbers/number.h"
#include "presentation/cli/command.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/records/records_files.h"
#include "records/formats/record_diff.h"

namespace opbench {
namespace {

constexpr const char* kRecordsDiffSchema = "opbench.records.diff/1";

/// FILE, or FILE:LINE.
struct RecordPlace {
  std::string file;
  int64_t line = 0;  ///< 0: the only record
};

RecordPlace records_diff_place_of(const std::string& text) {
  std::error_code ignored;
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(text, ignored)) return {text};
  const auto line = parse_integer(text.substr(colon + 1));
  if (!line || *line < 1) return {text};
  return {text.substr(0, colon), *line};
}

Result<AnyRecord> record_at(const std::string& text) {
  const RecordPlace place = records_diff_place_of(text);
  std::vector<AnyRecord> found;
  int64_t first = 0;
  const ScanReport report =
      scan_records(place.file, {}, [&](const AnyRecord& record, const ReadItem& item) {
        if (first == 0) first = item.line;
        if (place.line > 0 ? item.line == place.line : found.empty()) found.push_back(record);
      });
  if (report.failure) return Error(*report.failure);
  if (place.line == 0 && report.valid > 1) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("\"{}\" holds {} records", place.file, report.valid)}
        .with("usage", fmt::format("{}:{}", place.file, first));
  }
  if (!found.empty()) return std::move(found.front());
  const auto on_line = [&](const ScanMessage& message) { return message.line == place.line; };
  const auto message = std::ranges::find_if(report.messages, on_line);
  if (place.line > 0 && message != report.messages.end()) {
    return Error{ErrorCode::kInvalidInput, to_text(*message, place.file)};
  }
  return Error{ErrorCode::kNoMatch, "no record at \"" + text + "\""};
}

Json optional_time(const AnyRecord& record) {
  const auto time = time_of(record);
  return time ? Json(*time) : Json();
}

Json diff_json(const std::vector<RecordDifference>& differences, const AnyRecord& a,
               const AnyRecord& b) {
  Json json;
  json["schema"] = kRecordsDiffSchema;
  json["comparable"] = std::ranges::none_of(differences, &RecordDifference::matters);
  json["time_s"] = {{"a", optional_time(a)}, {"b", optional_time(b)}};
  json["differences"] = Json::array();
  for (const RecordDifference& difference : differences) {
    json["differences"].push_back({{"field", difference.field},
                                   {"a", difference.a},
                                   {"b", difference.b},
                                   {"matters", difference.matters}});
  }
  return json;
}

TextTable diff_table(const std::vector<RecordDifference>& differences) {
  TextTable table{.columns = {{.header = "field"},
                              {.header = "a", .shrinks_to = 12},
                              {.header = "b", .shrinks_to = 12},
                              {.header = "matters"}}};
  for (const RecordDifference& difference : differences) {
    table.rows.push_back(
        {{difference.field, difference.a, difference.b, difference.matters ? "yes" : "no"}});
  }
  return table;
}

/// Whether times can be compared, in words.
std::string conclusion(const std::vector<RecordDifference>& differences, const AnyRecord& a,
                       const AnyRecord& b) {
  std::string reasons;
  constexpr int64_t kShown = 4;
  const int64_t count = std::ranges::count_if(differences, &RecordDifference::matters);
  int64_t shown = 0;
  for (const RecordDifference& difference : differences) {
    if (!difference.matters || ++shown > kShown) continue;
    reasons += (reasons.empty() ? "" : ", ") + difference.field;
  }
  if (count > kShown) reasons += fmt::format(" and {} more", count - kShown);
  if (!reasons.empty()) return "not comparable: they differ in " + reasons;
  const auto time_a = time_of(a);
  const auto time_b = time_of(b);
  if (!time_a || !time_b) return "comparable, but one has no time";
  return fmt::format("comparable: {:.6g} s and {:.6g} s, b / a = {:.4g}", *time_a, *time_b,
                     *time_b / *time_a);
}

Result<void> run_records_diff(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const AnyRecord a, record_at(arguments.positionals()[0]));
  OPBENCH_TRY(const AnyRecord b, record_at(arguments.positionals()[1]));
  const std::vector<RecordDifference> differences = diff_records(a, b);
  const TextTable table = diff_table(differences);
  if (arguments.value("--format") != "table") {
    return write_answer(diff_json(differences, a, b), table, arguments, terminal);
  }
  const bool is_file = !arguments.value("--output").empty();
  std::string text = "no differences\n";
  if (!table.rows.empty()) {
    text = aligned_text(table, is_file ? 0 : terminal.width,
                        TextStyle{!is_file && terminal.has_colour});
  }
  return write_text(text + conclusion(differences, a, b) + "\n", arguments, terminal);
}

}  // namespace

CommandDef records_diff_command() {
  return {
      .name = "records diff",
      .summary = "Say what differs between two records, and whether their times can be compared",
      .positionals = {{.name = "A",
                       .help = "a file with one record, or FILE:LINE",
                       .file = FileUse::kRead},
                      {.name = "B", .help = "likewise", .file = FileUse::kRead}},
      .options = table_options(),
      .examples = {{"opbench records diff runs.jsonl:3 other.jsonl:3", ""}},
      .notes = "Results are not compared: see `opbench compare` and `opbench replay`.",
      .help_rank = 7,
      .run = run_records_diff};
}

}  // namespace opbench
