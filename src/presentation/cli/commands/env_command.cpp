#include <nlohmann/json.hpp>

#include <ostream>

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/json/json_text.h"
#include "machine/facts/environment.h"
#include "presentation/cli/command.h"
#include "presentation/cli/table_output.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

constexpr int kIndent = 2;

bool is_environment(const Json& json) {
  return json.is_object() && (json.contains("machine") || json.contains("software"));
}

/// The environment object in a report, in the first record of a file of records, or in what `env
/// --format json` wrote.
Result<Json> environment_in(const std::string& path) {
  OPBENCH_TRY(const std::string text, read_file(path));
  Result<Json> json = parse_json(text, path);
  if (!json) json = parse_json(text.substr(0, text.find('\n')), path);
  if (!json) return json.error();
  if (json->is_object() && json->contains("schema_version")) {
    OPBENCH_TRY(const BenchmarkRecord record, record_from_json(*json));
    return environment_of(record);
  }
  if (json->is_object() && json->contains("environment")) return Json((*json)["environment"]);
  if (is_environment(*json)) return *json;
  return Error{ErrorCode::kInvalidInput, "no environment in \"" + path + "\""}.with(
      "readable", "reports (--format json), records (--record), `opbench env --format json`");
}

std::string value_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : json_text(value);
}

Result<void> print_diff(const Arguments& arguments, Terminal& terminal) {
  const std::vector<std::string>& files = arguments.positionals();
  if (files.size() != 2) {
    return Error{ErrorCode::kInvalidInput, "--diff takes two files"}.with("usage",
                                                                          "opbench env --diff A B");
  }
  OPBENCH_TRY(const Json a, environment_in(files[0]));
  OPBENCH_TRY(const Json b, environment_in(files[1]));
  const Json differences = environment_diff(a, b);
  if (arguments.value("--format") == "json") {
    const Json report = {{"schema", "opbench.environment_diff/1"}, {"differences", differences}};
    return write_text(json_text(report, kIndent) + "\n", arguments, terminal);
  }
  TextTable table{.columns = {{.header = "field"}, {.header = files[0]}, {.header = files[1]}}};
  for (const Json& difference : differences) {
    table.rows.push_back({{value_text(difference["field"]), value_text(difference["a"]),
                           value_text(difference["b"])}});
  }
  if (table.rows.empty() && arguments.value("--format") == "table") {
    return write_text("no differences\n", arguments, terminal);
  }
  return write_table(table, "", "", arguments, terminal);
}

/// One row a field of each part; lists and objects as JSON.
TextTable facts_table(const Json& environment) {
  TextTable table{.columns = {{.header = "field"},
                              {.header = "value", .shrinks_to = 24},
                              {.header = "why there is none", .shrinks_to = 24}}};
  for (const auto& [part, facts] : environment.items()) {
    if (!facts.is_object()) {
      table.rows.push_back({{part, value_text(facts), ""}});
      continue;
    }
    for (const auto& [name, value] : facts.items()) {
      if (name.ends_with("_reason")) continue;
      const std::string reason = facts.value(name + "_reason", std::string());
      table.rows.push_back(
          {{part + "." + name, value.is_null() ? "-" : value_text(value), reason}});
    }
  }
  return table;
}

Result<void> run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format,
              arguments.choice("--format", {"table", "json", "csv", "md"}));
  OPBENCH_TRY(const bool is_diff, arguments.is_on("--diff"));
  if (is_diff) return print_diff(arguments, terminal);
  if (!arguments.positionals().empty()) {
    return Error{ErrorCode::kInvalidInput,
                 "unexpected argument \"" + arguments.positionals().front() + "\""}
        .with("usage", "opbench env --diff A B");
  }
  const Json environment = capture_environment();
  if (format == "json") {
    Json report;
    report["schema"] = "opbench.environment/1";
    for (const auto& [part, facts] : environment.items()) report[part] = facts;
    return write_text(json_text(report, kIndent) + "\n", arguments, terminal);
  }
  return write_table(facts_table(environment), "", "", arguments, terminal);
}

}  // namespace

CommandDef env_command() {
  std::vector<OptionDef> options = table_options();
  options.push_back({.name = "--diff",
                     .help = "compare the environments in two files",
                     .kind = OptionKind::kSwitch});
  return {.name = "env",
          .summary = "Show what results depend on here: machine, its state, software",
          .positionals = {{.name = "A B",
                           .help = "with --diff: reports or files of records",
                           .is_required = false,
                           .repeats = true,
                           .file = FileUse::kRead}},
          .options = options,
          .examples = {{"opbench env", "everything a record keeps about this machine"},
                       {"opbench env --diff old.jsonl new.jsonl",
                        "why two results are not comparable"}},
          .help_rank = 7,
          .run = run};
}

}  // namespace opbench
