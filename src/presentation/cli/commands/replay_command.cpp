#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

#include "base/files/text_file.h"
#include "base/json/json_text.h"
#include "experiments/replay/replay_run.h"
#include "machine/facts/environment.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/replay/replay_of_trials.h"
#include "presentation/report/replay/replay_report.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

bool is_replay_wanted(const ReplayRow& row, const std::vector<std::string>& wanted) {
  constexpr size_t kShortestId = 6;
  if (wanted.empty()) return true;
  const std::string id = row.item.record.record_id.value_or("");
  return std::ranges::any_of(wanted, [&](const std::string& word) {
    return word == std::to_string(row.number) ||
           (word.size() >= kShortestId && id.starts_with(word));
  });
}

/// The records of the file that are to be repeated, with their numbers.
Result<std::vector<ReplayRow>> rows_to_repeat(const Arguments& arguments) {
  const std::string& path = arguments.positionals().front();
  OPBENCH_TRY(const std::string text, read_text_file(path));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Error{ErrorCode::kNoMatch, "no records in \"" + path + "\""};
  }
  Result<std::vector<ReplayItem>> items = plan_replay(text);
  if (!items) return Error(items.error()).with("in", path);
  const std::vector<std::string> wanted = arguments.values("--only");
  std::vector<ReplayRow> rows;
  for (size_t i = 0; i < items->size(); ++i) {
    ReplayRow row{.item = std::move((*items)[i]), .number = static_cast<int64_t>(i) + 1};
    if (is_replay_wanted(row, wanted)) rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    return Error{ErrorCode::kNoMatch,
                 fmt::format("no record {} in \"{}\"", fmt::join(wanted, ", "), path)}
        .with("records", "1 to " + std::to_string(items->size()));
  }
  return rows;
}

Result<std::string> replay_report_of(const ReplayResult& result, const std::string& format,
                                     const Terminal& terminal, bool is_file) {
  constexpr int kIndent = 2;
  if (format == "json") return json_text(replay_json(result), kIndent) + "\n";
  const TextStyle style{!is_file && terminal.has_colour};
  const int width = is_file ? 0 : terminal.width;
  if (format == "table") return replay_text(result, width, style);
  return formatted_text(replay_table(result), format, width, style);
}

Result<void> replay_verdict_of(const ReplayResult& result, const Invocation& invocation) {
  if (result.is_interrupted) {
    return Error{ErrorCode::kInterrupted, "interrupted; what was repeated until then is reported"}
        .with("start over", shell_text(invocation.argv));
  }
  const std::string summary = replay_summary(result);
  if (summary.empty()) return {};
  const bool has_failed = count_of(result, ReplayOutcome::kFailed) > 0;
  return Error{has_failed ? ErrorCode::kPartial : ErrorCode::kNotReproduced,
               "of the records, " + summary};
}

Result<void> replay_runs(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format, format_of(arguments));
  const std::string output = arguments.value("--output");
  ReplayOptions options;
  OPBENCH_TRY(options.measures_elsewhere, arguments.is_on("--force"));
  if (!arguments.value("--budget").empty()) {
    OPBENCH_TRY(options.budget_s, arguments.seconds("--budget"));
  }
  OPBENCH_TRY(std::vector<ReplayRow> rows, rows_to_repeat(arguments));
  const Interruption interruption;
  ProgressLine progress(terminal);
  options.user_engines = invocation.settings.engines;
  options.cancel = &interruption.flag();
  options.progress = [&](const Progress& state) { progress.show(state); };
  const ReplayResult result =
      run_replay(std::move(rows), capture_environment(), options, replay_hooks());
  progress.clear();
  interruption.end();
  OPBENCH_TRY(const std::string text, replay_report_of(result, format, terminal, !output.empty()));
  OPBENCH_CHECK(write_text(text, arguments, terminal));
  return replay_verdict_of(result, invocation);
}

/// What is measured for runs alone, and for trials alone.
Result<void> check_replay_options(const Arguments& arguments, bool has_trials) {
  std::vector<std::string> others = {"--budget", "--force"};
  if (!has_trials) {
    others.clear();
    for (const OptionDef& option : trial_replay_options()) others.push_back(option.name);
  }
  const auto given = std::ranges::find_if(
      others, [&](const std::string& option) { return arguments.has(option); });
  if (given == others.end()) return {};
  return Error{ErrorCode::kInvalidInput,
               *given + " is for " + (has_trials ? "records of runs" : "logs of tuners")}
      .with(arguments.positionals().front(), has_trials ? "trials of a tuner" : "records of runs");
}

Result<void> replay_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(format_of(arguments));
  const std::string output = arguments.value("--output");
  if (!output.empty()) OPBENCH_CHECK(check_writable(output, "--output"));
  OPBENCH_TRY(const bool has_trials, holds_trials(arguments.positionals().front()));
  OPBENCH_CHECK(check_replay_options(arguments, has_trials));
  return has_trials ? replay_log(invocation, terminal) : replay_runs(invocation, terminal);
}

}  // namespace

CommandDef replay_command() {
  CommandDef command{
      .name = "replay",
      .summary = "Repeat what a file of records holds and compare the times",
      .positionals = {{.name = "FILE",
                       .help = "records, as `--record` writes them, or a tuner's log",
                       .file = FileUse::kRead}},
      .options = table_options(),
      .examples = {{"opbench replay runs.jsonl",
                    "exit 0 when the times are reproduced, 3 when they are not"},
                   {"opbench replay runs.jsonl --only 3", "the third record only"},
                   {"opbench replay autotvm.log --best",
                    "compile and measure a tuner's best configs here"}},
      .notes =
          "A record is reproduced when the new interval meets the old one widened by 2 % on\n"
          "both sides (10 % for in-model times only, which have no interval). Records of\n"
          "another machine, or of a model that has changed, are not comparable.\n"
          "\n"
          "Trials of a log (AutoTVM's, in whatever format) are compiled for the target that they\n"
          "name, checked against the operator's reference and measured; exit 3 when a result is\n"
          "wrong, 5 when trials fail or records are bad, 6 when none can be replayed here.",
      .help_rank = 4,
      .run = replay_run};
  command.options.push_back({.name = "--only",
                             .value_name = "N|ID",
                             .help = "this one only: its number in the file, of a log its line, or "
                                     "the begin of a run's id; may be repeated",
                             .kind = OptionKind::kRepeated,
                             .is_settable = false,
                             .old_name = "--record"});
  command.options.push_back({.name = "--budget",
                             .value_name = "TIME",
                             .help = "to measure, for each engine; default: as recorded",
                             .is_settable = false});
  command.options.push_back({.name = "--force",
                             .help = "measure records that are not comparable too",
                             .kind = OptionKind::kSwitch,
                             .is_settable = false});
  for (OptionDef& option : trial_replay_options()) command.options.push_back(std::move(option));
  return command;
}

}  // namespace opbench
