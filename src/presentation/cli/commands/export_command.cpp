#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <ostream>

#include "base/errors/suggestion.h"
#include "base/files/text_file.h"
#include "base/json/json_members.h"
#include "base/json/json_text.h"
#include "base/text/counted.h"
#include "measuring/results/profile_file.h"
#include "measuring/results/profile_json.h"
#include "planning/plans/plan_file.h"
#include "planning/simulator/simulation.h"
#include "presentation/cli/command.h"
#include "presentation/cli/export/profile_graph.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/report/exports/export.h"
#include "presentation/report/plan/plan_report.h"

namespace opbench {
namespace {

constexpr const char* kTraceExport = "trace";

Result<std::string> trace_of_plan(const std::string& text, const std::string& name) {
  OPBENCH_TRY(const PlanFile plan, parse_plan_file(text, name));
  OPBENCH_TRY(const Timeline timeline, simulate(plan.timed, plan.plan));
  return json_text(trace_json(plan, timeline)) + "\n";
}

/// Leaves the engines that --engine and --threads name. `kInvalidInput` with those that there are
/// if none is left.
Result<void> choose_engines(const Arguments& arguments, ProfileResult& profile) {
  const std::string engine = arguments.value("--engine");
  int64_t threads = 0;
  if (arguments.has("--threads")) {
    OPBENCH_TRY(threads, arguments.integer("--threads", 1));
  }
  std::vector<std::string> there, names;
  for (const EngineResult& each : profile.engines) {
    there.push_back(fmt::format("{} on {}", each.engine, each.threads));
    names.push_back(each.engine);
  }
  std::erase_if(profile.engines, [&](const EngineResult& each) {
    return (!engine.empty() && each.engine != engine) || (threads != 0 && each.threads != threads);
  });
  if (!profile.engines.empty()) return {};
  const bool is_known = engine.empty() || std::ranges::find(names, engine) != names.end();
  if (!is_known) return unknown_name("engine", engine, names);
  std::string what = "the profile has no engine";
  if (!engine.empty()) what += " \"" + engine + "\"";
  if (threads != 0) what += " on " + counted(threads, "thread");
  return Error{ErrorCode::kInvalidInput, what}.with("it has", join(there));
}

Result<std::string> text_of_profile(const ExportDef& format, const Json& json,
                                    const std::string& name, const Arguments& arguments,
                                    Terminal& terminal) {
  OPBENCH_TRY(ProfileResult profile, parse_profile(json, name));
  if (profile.engines.empty()) {
    return Error{ErrorCode::kNoMatch, "\"" + name + "\" holds no engine's results"};
  }
  OPBENCH_CHECK(choose_engines(arguments, profile));
  std::optional<Graph> graph;
  std::string why_no_graph;
  if (format.graph != GraphUse::kNone) {
    Result<Graph> read = graph_of_profile(profile, arguments.value("--model"));
    const bool is_needed = format.graph == GraphUse::kNeeded || arguments.has("--model");
    if (!read && is_needed) return Error(read.error());
    if (read) graph = std::move(*read);
  }
  OPBENCH_TRY(const ExportText text,
              format.write({.profile = profile, .graph = graph ? &*graph : nullptr}));
  for (const std::string& remark : text.remarks) {
    if (!terminal.is_quiet) terminal.err << remark << "\n";
  }
  return text.text;
}

Result<void> run_export(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  const std::vector<std::string>& words = arguments.positionals();
  Result<const ExportDef*> format = export_table().find(words[0]);
  if (!format) return unknown_name("export format", words[0], export_table().names());
  OPBENCH_TRY(const std::string text, read_text_file(words[1]));
  OPBENCH_TRY(const Json json, parse_json(text, words[1]));
  const std::string schema = text_of_member(json, "schema");
  const bool may_be_plan = (*format)->name == kTraceExport && !is_profile(json);
  if (may_be_plan && !schema.empty() && !is_plan(json)) {
    return Error{ErrorCode::kInvalidInput,
                 "\"" + words[1] + "\" holds " + schema + ", neither a profile nor a plan"}
        .with("known", std::string(kProfileSchema) + ", " + kPlanSchema);
  }
  if (may_be_plan) {
    for (const char* option : {"--model", "--engine", "--threads"}) {
      if (!arguments.has(option)) continue;
      return Error{ErrorCode::kInvalidInput, std::string(option) + " does not apply to a plan"};
    }
    OPBENCH_TRY(const std::string trace, trace_of_plan(text, words[1]));
    return write_text(trace, arguments, terminal);
  }
  OPBENCH_TRY(const std::string written,
              text_of_profile(**format, json, words[1], arguments, terminal));
  return write_text(written, arguments, terminal);
}

std::string format_notes() {
  std::string notes = "Formats\n";
  for (const ExportDef& format : export_table().all()) {
    notes += fmt::format("  {:<16}{}\n", format.name, format.summary);
  }
  return notes;
}

}  // namespace

CommandDef export_command() {
  return {.name = "export",
          .summary = "Write a profile for other programs: Perfetto, Netron, dashboards, …",
          .positionals = {{.name = "FORMAT", .help = "one of those below"},
                          {.name = "FILE",
                           .help = "what `opbench profile --format json -o` wrote; for trace also "
                                   "what `opbench plan -o` wrote",
                           .file = FileUse::kRead}},
          .options = {{.name = "--output",
                       .value_name = "FILE",
                       .help = "write there, not to stdout",
                       .short_name = "-o",
                       .file = FileUse::kWritten},
                      {.name = "--model",
                       .value_name = "FILE",
                       .help = "the ONNX file that was profiled, where it lies elsewhere now; for "
                               "trace, netron and model-explorer",
                       .is_settable = false,
                       .file = FileUse::kRead},
                      {.name = "--engine",
                       .value_name = "NAME",
                       .help = "of a profile of several engines, this one alone",
                       .is_settable = false},
                      {.name = "--threads",
                       .value_name = "N",
                       .help = "of a profile of several thread counts, this one alone",
                       .short_name = "-t",
                       .is_settable = false}},
          .examples = {{"opbench export trace r18.json -o trace.json",
                        "for chrome://tracing or Perfetto"},
                       {"opbench export netron r18.json -o r18.netron.json",
                        "open the model in Netron, then this file"}},
          .notes = format_notes(),
          .run = run_export};
}

}  // namespace opbench
