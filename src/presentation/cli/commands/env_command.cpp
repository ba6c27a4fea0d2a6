#include <nlohmann/json.hpp>

#include <ostream>

#include "base/files/text_file.h"
#include "base/json/json.h"
#include "base/json/json_text.h"
#include "experiments/predict/device_probe.h"
#include "experiments/predict/probe_json.h"
#include "machine/facts/environment.h"
#include "presentation/cli/command.h"
#include "presentation/cli/env/setting_rows.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/report/predict/probe_report.h"
#include "records/record/record_environment.h"

namespace opbench {
namespace {

constexpr const char* kEnvironmentDiffSchema = "opbench.environment_diff/1";
constexpr const char* kEnvironmentSchema = "opbench.environment/1";

constexpr int kEnvIndent = 2;

bool is_environment(const Json& json) {
  return json.is_object() && (json.contains("machine") || json.contains("software"));
}

/// The environment object in a report, in the first record of a file of records, or in what `env
/// --format json` wrote.
Result<Environment> environment_in(const std::string& path) {
  OPBENCH_TRY(const std::string text, read_text_file(path));
  Result<Json> json = parse_json(text, path);
  if (!json) json = parse_json(text.substr(0, text.find('\n')), path);
  if (!json) return json.error();
  if (json->is_object() && json->contains("schema_version")) {
    OPBENCH_TRY(const BenchmarkRecord record, record_from_json(*json));
    return environment_of(record);
  }
  if (json->is_object() && json->contains("environment")) {
    return environment_from((*json)["environment"]);
  }
  if (is_environment(*json)) return environment_from(*json);
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
  OPBENCH_TRY(const Environment a, environment_in(files[0]));
  OPBENCH_TRY(const Environment b, environment_in(files[1]));
  const Json differences = environment_diff(a, b);
  if (arguments.value("--format") == "json") {
    const Json report = {{"schema", kEnvironmentDiffSchema}, {"differences", differences}};
    return write_text(json_text(report, kEnvIndent) + "\n", arguments, terminal);
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

/// A device descriptor: the probe kernels' times.
Result<void> run_probes(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(check_table_options(arguments));
  ProbeRequest request{.engine = arguments.value("--engine"), .argv = invocation.argv};
  OPBENCH_TRY(const int64_t threads, arguments.integer("--threads", 1, kMostThreads));
  request.threads = static_cast<int>(threads);
  OPBENCH_TRY(request.budget_s, arguments.seconds("--budget"));
  const Interruption interruption;
  ProgressLine line(terminal);
  request.cancel = &interruption.flag();
  request.progress = [&](const Progress& state) { line.show(state); };
  const Result<DeviceDescriptor> device = probe_device(request);
  line.clear();
  if (!device) return Error(device.error());
  if (arguments.value("--format") == "json") {
    OPBENCH_CHECK(write_text(probe_json(*device), arguments, terminal));
  } else {
    OPBENCH_CHECK(write_table(probe_table(*device), "", "", arguments, terminal));
    terminal.err << probe_summary(*device);
  }
  if (interruption.flag()) {
    return Error{ErrorCode::kInterrupted, "interrupted; what was measured until then is reported"};
  }
  Error error{ErrorCode::kPartial, "some probes have no time"};
  for (const ProbeTime& probe : device->probes) {
    if (!probe.time) error.facts.push_back({probe.probe.name, probe.reason});
  }
  if (!error.facts.empty()) return error;
  return {};
}

/// Options that only --probe takes.
Result<void> check_probe_options(const Arguments& arguments, bool is_probe) {
  for (const char* option : {"--engine", "--threads", "--budget"}) {
    if (is_probe || !arguments.is_typed(option)) continue;
    return Error{ErrorCode::kInvalidInput, std::string(option) + " goes with --probe"};
  }
  return {};
}

Result<void> run_env(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format, format_of(arguments));
  OPBENCH_TRY(const bool is_diff, arguments.is_on("--diff"));
  OPBENCH_TRY(const bool is_probe, arguments.is_on("--probe"));
  OPBENCH_TRY(const bool is_settings, arguments.is_on("--settings"));
  if (is_probe && is_diff) return invalid_input("--probe does not go with --diff");
  if (is_settings && (is_diff || is_probe)) {
    return invalid_input("--settings does not go with " +
                         std::string(is_diff ? "--diff" : "--probe"));
  }
  OPBENCH_CHECK(check_probe_options(arguments, is_probe));
  if (is_diff) return print_diff(arguments, terminal);
  if (!arguments.positionals().empty()) {
    return Error{ErrorCode::kInvalidInput,
                 "unexpected argument \"" + arguments.positionals().front() + "\""}
        .with("usage", "opbench env --diff A B");
  }
  if (is_probe) return run_probes(invocation, terminal);
  if (is_settings) return print_settings(arguments, terminal);
  const Json environment = to_json(capture_environment());
  if (format == "json") {
    Json report;
    report["schema"] = kEnvironmentSchema;
    for (const auto& [part, facts] : environment.items()) report[part] = facts;
    return write_text(json_text(report, kEnvIndent) + "\n", arguments, terminal);
  }
  return write_table(facts_table(environment), "", "", arguments, terminal);
}

}  // namespace

CommandDef env_command() {
  std::vector<OptionDef> options = table_options();
  options.push_back({.name = "--diff",
                     .help = "compare the environments in two files",
                     .kind = OptionKind::kSwitch});
  options.push_back({.name = "--settings",
                     .help = "what can be set for a run: value, range, or what it would need",
                     .kind = OptionKind::kSwitch});
  for (const OptionDef& option :
       std::vector<OptionDef>{{.name = "--probe",
       .value_name = "",
       .help = "measure a dozen probe kernels: what this machine is to a predictor",
       .kind = OptionKind::kSwitch},
                              {.name = "--engine",
                              .value_name = "NAME",
                              .help = "with --probe: whose kernels",
                              .otherwise = "halide"},
                              {.name = "--threads",
                              .value_name = "N",
                              .help = "with --probe: threads of a call",
                              .otherwise = "1"},
                              {.name = "--budget",
                              .value_name = "TIME",
                              .help = "with --probe: of pure measuring",
                              .otherwise = "10s"}}) {
    options.push_back(option);
  }
  return {
      .name = "env",
      .summary = "Show what results depend on here: machine, its state, software",
      .positionals = {{.name = "A B",
                       .help = "with --diff: reports or files of records",
                       .is_required = false,
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = options,
      .examples = {{"opbench env", "everything a record keeps about this machine"},
                   {"opbench env --diff old.jsonl new.jsonl", "why two results are not comparable"},
                   {"opbench env --settings", "what `sweep --over` can set here, or why not"},
                   {"opbench env --probe --format json -o probe.json",
                    "a descriptor of this device, in less than a minute"}},
      .help_rank = 7,
      .run = run_env};
}

}  // namespace opbench
