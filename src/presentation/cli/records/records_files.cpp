#include "presentation/cli/records/records_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

#include "base/json/json_text.h"
#include "base/text/display_width.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/table_output.h"

namespace opbench {

PositionalDef record_files() {
  return {.name = "FILE",
          .help = "logs and records of any known format, recognised from their content",
          .repeats = true,
          .file = FileUse::kRead};
}

OptionDef strict_option() {
  return {.name = "--strict",
          .help = "stop at the first bad line, with exit code 2; doubtful lines are bad",
          .kind = OptionKind::kSwitch};
}

Result<ScanOptions> scan_options(const Arguments& arguments) {
  ScanOptions options;
  OPBENCH_TRY(options.is_strict, arguments.is_on("--strict"));
  const std::string output = arguments.value("--output");
  if (!output.empty()) OPBENCH_CHECK(check_writable(output, "--output"));
  return options;
}

void print_messages(const ScanReport& report, Terminal& terminal) {
  constexpr size_t kMost = 20;
  if (report.failure) {
    terminal.err << report.file << ": error E_FILE: " << report.failure->message << "\n";
  }
  size_t shown = 0;
  for (const ScanMessage& message : report.messages) {
    if (terminal.is_quiet && !message.issue.is_error()) continue;
    if (++shown > kMost) {
      terminal.err << report.file << ": and more; `records validate --format json` lists them\n";
      return;
    }
    terminal.err << printable(to_text(message, report.file)) << "\n";
  }
}

Result<void> outcome_of(const std::vector<ScanReport>& reports, bool is_strict) {
  const auto has_failed = [](const ScanReport& report) { return report.failure.has_value(); };
  if (!reports.empty() && std::ranges::all_of(reports, has_failed)) {
    return Error(*reports.front().failure);
  }
  int64_t bad = 0;
  int64_t records = 0;
  int64_t files = 0;
  std::string first;
  for (const ScanReport& report : reports) {
    bad += report.records - report.valid;
    records += report.records;
    if (report.failure) ++files;
    const auto error = std::ranges::find_if(
        report.messages, [](const ScanMessage& message) { return message.issue.is_error(); });
    if (first.empty() && error != report.messages.end()) first = to_text(*error, report.file);
    if (first.empty() && report.failure) first = report.file + ": " + report.failure->message;
  }
  const bool is_good = std::ranges::none_of(reports, &ScanReport::has_errors);
  if (is_good) return {};
  if (is_strict) return Error{ErrorCode::kInvalidInput, first};
  std::string message =
      fmt::format("{} of {} records {} bad", bad, records, bad == 1 ? "is" : "are");
  if (files > 0) {
    message += fmt::format(", and {} of {} files cannot be read", files, reports.size());
  }
  return Error{ErrorCode::kPartial, message}.with("first", first);
}

Result<void> write_answer(const Json& json, const TextTable& table, const Arguments& arguments,
                          Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments));
  if (format == "json") {
    constexpr int kIndent = 2;
    return write_text(json_text(json, kIndent) + "\n", arguments, terminal);
  }
  const bool is_file = !arguments.value("--output").empty();
  OPBENCH_TRY(const std::string text, formatted_text(table, format, is_file ? 0 : terminal.width,
                                                     TextStyle{!is_file && terminal.has_colour}));
  return write_text(text, arguments, terminal);
}

}  // namespace opbench
