#include <nlohmann/json.hpp>

#include <ostream>

#include "base/errors/suggestion.h"
#include "base/json/json.h"
#include "engines/catalog/engine.h"
#include "kernels/schedules/schedule.h"
#include "machine/devices/device.h"
#include "model/operators/operator.h"
#include "model/zoo/zoo.h"
#include "presentation/cli/command.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {
namespace {

constexpr int kNarrowest = 24;

TextTable models_table() {
  TextTable table{.columns = {{.header = "model"},
                              {.header = "source", .shrinks_to = kNarrowest},
                              {.header = "summary", .shrinks_to = kNarrowest}}};
  for (const ZooEntry& entry : zoo_entries()) {
    table.rows.push_back({{entry.name, entry.source, entry.summary}});
  }
  return table;
}

std::string runs_text(const EngineDef& engine) {
  if (!engine.runs_models) return "operators";
  return engine.takes_packages ? "models, operators, tuned kernels" : "models, operators";
}

TextTable engines_table(const Settings& settings) {
  TextTable table{.columns = {{.header = "engine"},
                              {.header = "runs"},
                              {.header = "devices"},
                              {.header = "available", .shrinks_to = kNarrowest},
                              {.header = "summary", .shrinks_to = kNarrowest}}};
  for (const EngineDef& engine : engine_table().all()) {
    const std::optional<std::string> reason =
        engine.unavailable == nullptr ? std::nullopt : engine.unavailable();
    table.rows.push_back({{engine.name, runs_text(engine), join(engine.device_kinds),
                           reason ? "no: " + *reason : "yes", engine.summary}});
  }
  for (const UserEngine& engine : settings.engines) {
    if (engine.command.empty()) continue;
    table.rows.push_back(
        {{engine.name, "models, operators", "cpu", "yes", "yours: " + join(engine.command, " ")}});
  }
  return table;
}

std::string facts_text(const std::vector<Fact>& facts) {
  std::vector<std::string> texts;
  for (const Fact& fact : facts) texts.push_back(fact.label + " " + fact.text);
  return join(texts, "; ");
}

/// Each device, or why there is none of a kind.
TextTable devices_table() {
  TextTable table{.columns = {{.header = "device"},
                              {.header = "available", .shrinks_to = kNarrowest},
                              {.header = "clock"},
                              {.header = "description", .shrinks_to = kNarrowest},
                              {.header = "facts", .shrinks_to = kNarrowest}}};
  for (const DeviceDef& kind : device_table().all()) {
    const auto found = kind.find();
    if (!found) {
      table.rows.push_back(
          {{kind.name, "no: " + found.error().message, kind.clock, kind.summary, "-"}});
      continue;
    }
    for (const FoundDevice& device : *found) {
      table.rows.push_back(
          {{device.name, "yes", kind.clock, device.description, facts_text(device.facts)}});
    }
  }
  return table;
}

/// `Conv`, `com.microsoft.BiasGelu`: the types with their domain.
std::string onnx_types_text(const OperatorDef& def) {
  std::vector<std::string> types = def.onnx_types;
  for (std::string& type : types) {
    if (!def.onnx_domain.empty()) type = def.onnx_domain + "." + type;
  }
  return join(types);
}

TextTable operators_table() {
  TextTable table{.columns = {{.header = "operator"},
                              {.header = "onnx_types", .shrinks_to = kNarrowest},
                              {.header = "summary", .shrinks_to = kNarrowest}}};
  for (const OperatorDef& def : operator_table().all()) {
    table.rows.push_back({{def.name, onnx_types_text(def), def.summary}});
  }
  return table;
}

TextTable schedules_table() {
  TextTable table{.columns = {{.header = "schedule"},
                              {.header = "priority", .is_right_aligned = true},
                              {.header = "summary", .shrinks_to = kNarrowest}}};
  for (const ScheduleDef& def : schedule_table().all()) {
    table.rows.push_back({{def.name, std::to_string(def.priority), def.summary}});
  }
  return table;
}

std::string word_of(FileUse use) {
  switch (use) {
    case FileUse::kNone:
      return "-";
    case FileUse::kRead:
      return "read";
    case FileUse::kWritten:
      return "written";
  }
  return "";
}

std::string word_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::kValue:
      return "value";
    case OptionKind::kList:
      return "list";
    case OptionKind::kRepeated:
      return "repeated";
    case OptionKind::kSwitch:
      return "switch";
  }
  return "";
}

/// Every argument of every command, also for programs that try them all.
TextTable options_table() {
  TextTable table{.columns = {{.header = "command"},
                              {.header = "argument"},
                              {.header = "value"},
                              {.header = "kind"},
                              {.header = "file"},
                              {.header = "settable"},
                              {.header = "default"}}};
  for (const CommandDef& command : command_table().all()) {
    if (command.is_hidden) continue;
    for (const PositionalDef& def : command.positionals) {
      const char* kind = def.is_required ? "argument" : "optional argument";
      table.rows.push_back(
          {{command.name, def.name, def.name, kind, word_of(def.file), "no", "-"}});
    }
    for (const OptionDef& def : command.options) {
      if (def.is_hidden || !def.missing.empty()) continue;
      const auto or_dash = [](const std::string& text) { return text.empty() ? "-" : text; };
      table.rows.push_back(
          {{command.name, def.name, or_dash(def.value_name), word_of(def.kind), word_of(def.file),
            def.is_settable ? "yes" : "no", or_dash(def.otherwise)}});
    }
  }
  return table;
}

Result<void> run_list(const Invocation& invocation, Terminal& terminal) {
  const std::string& what = invocation.arguments.positionals().front();
  TextTable table;
  if (what == "models") {
    table = models_table();
  } else if (what == "engines") {
    table = engines_table(invocation.settings);
  } else if (what == "devices") {
    table = devices_table();
  } else if (what == "operators") {
    table = operators_table();
  } else if (what == "schedules") {
    table = schedules_table();
  } else if (what == "options") {
    table = options_table();
  } else {
    return unknown_name("list", what,
                        {"models", "engines", "devices", "operators", "schedules", "options"});
  }
  return write_list(table, what, invocation.arguments, terminal);
}

}  // namespace

CommandDef list_command() {
  return {
      .name = "list",
      .summary = "List what there is: models, engines, devices, operators, schedules, options",
      .positionals = {{.name = "WHAT",
                       .help = "models, engines, devices, operators, schedules or options"}},
      .options = table_options(),
      .examples = {{"opbench list models", "the names that `profile` takes"},
                   {"opbench list engines --format json", "which of them work here, and why not"},
                   {"opbench list devices", "what kernels can run on, or why a kind is not here"}},
      .help_rank = 5,
      .run = run_list};
}

}  // namespace opbench
