#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/json.h"
#include "base/json/json_text.h"
#include "presentation/cli/command.h"
#include "presentation/cli/options/store_option.h"
#include "presentation/cli/output/table_output.h"
#include "records/store/database/views.h"

namespace opbench {
namespace {

constexpr const char* kRecordsQuerySchema = "opbench.records.query/1";

bool is_number(const std::string& type) {
  return type.ends_with("INT") || type == "INTEGER" || type == "UINTEGER" || type == "DOUBLE" ||
         type == "FLOAT" || type == "DECIMAL";
}

/// Empty for null in CSV, as other readers of CSV expect; a dash in a table.
std::string cell_text(const Json& value, const std::string& null_text) {
  if (value.is_null()) return null_text;
  return value.is_string() ? value.get<std::string>() : json_text(value);
}

TextTable records_query_to_table(const QueryResult& result, const std::string& null_text) {
  TextTable table;
  for (const ResultColumn& column : result.columns) {
    table.columns.push_back({.header = column.name, .is_right_aligned = is_number(column.type)});
  }
  for (const std::vector<Json>& row : result.rows) {
    TextRow cells;
    for (const Json& value : row) cells.cells.push_back(cell_text(value, null_text));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string to_json_text(const QueryResult& result) {
  Json json = {
      {"schema", kRecordsQuerySchema}, {"columns", Json::array()}, {"rows", Json::array()}};
  for (const ResultColumn& column : result.columns) json["columns"].push_back(column.name);
  for (const std::vector<Json>& row : result.rows) json["rows"].push_back(row);
  return json_text(json) + "\n";
}

Result<void> run_records_query(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format, format_of(arguments));
  OPBENCH_TRY(const int threads, store_threads_of(arguments));
  OPBENCH_TRY(const std::filesystem::path folder, store_folder_of(arguments));
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(folder));
  OPBENCH_TRY(const QueryResult result,
              query_store(store, arguments.positionals()[0], {.threads = threads}));
  if (format == "json") return write_text(to_json_text(result), arguments, terminal);
  return write_table(records_query_to_table(result, format == "csv" ? "" : "-"), "", "", arguments,
                     terminal);
}

}  // namespace

CommandDef records_query_command() {
  std::vector<OptionDef> options = table_options();
  options.push_back(store_option());
  options.push_back(store_threads_option());
  return {
      .name = "records query",
      .summary =
          "Ask the store in SQL: trials, best, sources, benchmarks, predictions, environments",
      .positionals = {{.name = "SQL", .help = "of DuckDB"}},
      .options = options,
      .examples = {{"opbench records query 'SELECT task, count(*) FROM trials GROUP BY task'", ""},
                   {"opbench records query 'DESCRIBE trials'", "the columns"}},
      .run = run_records_query};
}

}  // namespace opbench
