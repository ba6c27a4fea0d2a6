#include "presentation/cli/output/table_output.h"

#include <nlohmann/json.hpp>

#include <ostream>
#include <utility>

#include "base/json/json.h"
#include "base/json/json_text.h"
#include "base/numbers/number.h"
#include "presentation/cli/output/output_file.h"

namespace opbench {
namespace {

constexpr const char* kListSchema = "opbench.list/1";

Json cell_json(const TextColumn& column, const std::string& cell) {
  if (!column.is_right_aligned) return cell;
  if (const auto whole = parse_integer(cell)) return *whole;
  if (const auto number = parse_number(cell)) return *number;
  return nullptr;
}

Json rows_json(const TextTable& shown) {
  const TextTable table = table_for_programs(shown);
  Json rows = Json::array();
  for (const TextRow& row : table.rows) {
    Json object;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      object[table.columns[i].header] = cell_json(table.columns[i], row.cells[i]);
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

}  // namespace

const std::vector<std::string>& report_formats() {
  static const std::vector<std::string> formats = {"table", "json", "csv", "md"};
  return formats;
}

OptionDef format_option(std::string help) {
  return {.name = "--format",
          .value_name = "FORMAT",
          .help = std::move(help),
          .otherwise = report_formats().front()};
}

Result<std::string> format_of(const Arguments& arguments, const std::vector<std::string>& more) {
  std::vector<std::string> formats = report_formats();
  formats.insert(formats.end(), more.begin(), more.end());
  return arguments.choice("--format", formats);
}

std::vector<OptionDef> table_options() {
  return {format_option(),
          {.name = "--output",
           .value_name = "FILE",
           .help = "write there, not to stdout",
           .short_name = "-o",
           .file = FileUse::kWritten}};
}

Result<void> check_table_options(const Arguments& arguments) {
  OPBENCH_CHECK(format_of(arguments));
  const std::string path = arguments.value("--output");
  return path.empty() ? Result<void>() : check_writable(path, "--output");
}

TableForm table_form(const Arguments& arguments, const Terminal& terminal) {
  if (!arguments.value("--output").empty()) return {};
  return {.width = terminal.width, .style = {terminal.has_colour}};
}

Result<void> write_list(const TextTable& table, const std::string& name, const Arguments& arguments,
                        Terminal& terminal) {
  return write_table(table, kListSchema, name, arguments, terminal);
}

Result<void> write_text(const std::string& text, const Arguments& arguments, Terminal& terminal) {
  const std::string path = arguments.value("--output");
  if (path.empty()) {
    terminal.out << text;
    return {};
  }
  OPBENCH_CHECK(check_writable(path, "--output"));
  return write_output(path, text);
}

Result<void> write_table(const TextTable& table, const std::string& schema, const std::string& name,
                         const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments));
  if (format == "json") {
    Json json;
    json["schema"] = schema;
    json[name] = rows_json(table);
    constexpr int kIndent = 2;
    return write_text(json_text(json, kIndent) + "\n", arguments, terminal);
  }
  const TableForm form = table_form(arguments, terminal);
  OPBENCH_TRY(const std::string text, formatted_text(table, format, form.width, form.style));
  return write_text(text, arguments, terminal);
}

}  // namespace opbench
