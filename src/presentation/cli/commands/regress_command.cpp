#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "base/json/json_text.h"
#include "base/text/counted.h"
#include "presentation/cli/command.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/regress/detector_choice.h"
#include "presentation/cli/regress/paired_program.h"
#include "presentation/cli/regress/suite_regress.h"
#include "presentation/report/regress/regress_report.h"
#include "watching/detectors/detector.h"
#include "watching/nights/alert_list.h"
#include "watching/nights/night_analysis.h"
#include "watching/series/alert_json.h"
#include "watching/series/history_reader.h"

namespace opbench {
namespace {

const std::vector<std::string>& regress_formats() {
  static const std::vector<std::string> formats = {"text", "md", "json", "junit", "github"};
  return formats;
}

Result<void> write_regress(const RegressReport& report, const Arguments& arguments,
                           Terminal& terminal) {
  OPBENCH_TRY(const std::string format, arguments.choice("--format", regress_formats()));
  if (format == "json")
    return write_text(json_text(regress_json(report), 2) + "\n", arguments, terminal);
  if (format == "md") return write_text(regress_markdown(report), arguments, terminal);
  if (format == "junit") return write_text(regress_junit(report), arguments, terminal);
  if (format == "github") return write_text(regress_github(report), arguments, terminal);
  const TableForm form = table_form(arguments, terminal);
  return write_text(regress_text(report, form.width, form.style), arguments, terminal);
}

/// 3 for a confirmed regression that nobody accepted, 4 for suspicions with --strict.
Result<void> regress_verdict(const RegressReport& report, bool is_strict) {
  Error slower{ErrorCode::kNotReproduced, ""};
  bool has_doubts = false;
  for (const Alert& alert : report.alerts) {
    if (!is_open(alert)) continue;
    const bool is_change = alert.kind == AlertKind::kChange;
    has_doubts = has_doubts || alert.state == AlertState::kSuspected || !is_change;
    if (!is_change || alert.state == AlertState::kSuspected || !is_slower(alert)) continue;
    slower.facts.push_back({alert.id, change_text(alert.rows[0]) + " " + alert.rows[0].series});
  }
  if (!slower.facts.empty()) {
    slower.message = counted(static_cast<int64_t>(slower.facts.size()), "confirmed regression");
    return slower;
  }
  if (is_strict && (has_doubts || !report.noisiest.empty())) {
    return Error{ErrorCode::kInconclusive, "something is suspected and not confirmed"}.with(
        "found", found_text(report));
  }
  return {};
}

Result<void> run_regress(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format, arguments.choice("--format", regress_formats()));
  if (arguments.has("--output")) {
    OPBENCH_CHECK(check_writable(arguments.value("--output"), "--output"));
  }
  OPBENCH_TRY(const bool is_strict, arguments.is_on("--strict"));
  if (arguments.has("--from") == arguments.has("--suite")) {
    return invalid_input(arguments.has("--from") ? "--from and --suite say different things"
                                                 : "nothing says what to watch")
        .with("needed", "--suite FILE: measure tonight; or --from FILE: a history");
  }
  if (arguments.has("--suite")) {
    return regress_suite(
        invocation, terminal,
        {.write =
             [&](const RegressReport& report) {
               return write_regress(report, arguments, terminal);
             },
         .judge = [&](const RegressReport& report) { return regress_verdict(report, is_strict); }});
  }
  for (const OptionDef& option : suite_regress_options()) {
    if (!arguments.is_typed(option.name)) continue;
    return invalid_input(option.name + " goes with --suite, not with --from");
  }
  OPBENCH_TRY(const History history, read_history(arguments.value("--from")));
  WatchOptions options;
  OPBENCH_TRY(options.detector, detector_for(arguments.value("--detector"), history));
  PairSource source;
  if (arguments.has("--paired-from")) {
    OPBENCH_TRY(const auto command, PairedProgram::start(arguments.value("--paired-from")));
    source = [command](const PairedQuestion& question) { return command->ask(question); };
  }
  OPBENCH_TRY(const WatchState state, analyse_history(history, options, source));
  RegressReport report = report_of(state, options, source != nullptr);
  report.unit = history.unit;
  report.notes.insert(report.notes.begin(), history.notes.begin(), history.notes.end());
  OPBENCH_CHECK(write_regress(report, arguments, terminal));
  return regress_verdict(report, is_strict);
}

std::vector<OptionDef> regress_options() {
  std::vector<OptionDef> options = {
      {.name = "--from",
       .value_name = "FILE",
       .help = "a history: JSON lines of nights, or CSV; also packed with gzip",
       .is_settable = false,
       .file = FileUse::kRead},
      {.name = "--paired-from",
       .value_name = "COMMAND",
       .help = "answers paired runs: a question a line on stdin, an answer a line on stdout",
       .is_settable = false},
      {.name = "--detector",
       .value_name = "NAME",
       .help = join(detector_table().names()) + "; else hash, or l1 where no hashes are known"},
      {.name = "--strict",
       .value_name = "",
       .help = "exit 4 when something is suspected and not confirmed",
       .kind = OptionKind::kSwitch},
      {.name = "--format",
       .value_name = "FORMAT",
       .help = "text, md, json, junit or github",
       .otherwise = "text"},
      {.name = "--output",
       .value_name = "FILE",
       .help = "write there, not to stdout",
       .short_name = "-o",
       .file = FileUse::kWritten}};
  for (OptionDef& option : suite_regress_options()) options.push_back(std::move(option));
  return options;
}

}  // namespace

CommandDef regress_command() {
  return {
      .name = "regress",
      .summary = "Find out which nights made something slower, and confirm it by paired runs",
      .options = regress_options(),
      .examples = {{"opbench regress --suite nightly.toml",
                    "measure tonight, compare with the nights before"},
                   {"opbench regress --from history.csv", "what changed, as far as a history says"},
                   {"opbench regress --from year.jsonl.gz --paired-from './pairs' --format md",
                    "confirmed by paired runs, for a pull request"}},
      .notes =
          "Ends with 3 when a regression is confirmed, with 6 when there is no history.\n"
          "A CSV file needs the columns series, value, and time or commit; it may have hash,\n"
          "environment, method, control, chain, engine and unit.",
      .help_rank = 4,
      .run = run_regress};
}

}  // namespace opbench
