#include "presentation/cli/replay/replay_of_trials.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <ostream>
#include <set>

#include "base/numbers/number.h"
#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "experiments/sessions/variant_device.h"
#include "machine/devices/device.h"
#include "machine/target/device_type.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/records/kept_records.h"
#include "presentation/cli/records/records_files.h"
#include "presentation/cli/tune/task_model.h"
#include "presentation/cli/tune/trial_setup.h"
#include "presentation/report/replay/trial_replay_report.h"
#include "records/formats/codec.h"
#include "records/record/error_number.h"
#include "records/record/profile_records.h"
#include "tuning/trials/trial_replay.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// Where trials are measured.
struct ReplayPlace {
  std::optional<Target> asked = {};  ///< --target; nothing: what each record names, on this CPU
  FoundDevice device = {};
  Target target() const { return asked.value_or(host_target()); }
};

Result<ReplayPlace> place_of(const Arguments& arguments) {
  ReplayPlace place;
  RunSettings settings;
  settings.device = arguments.value("--device");
  if (arguments.has("--target")) {
    settings.target = arguments.value("--target");
    OPBENCH_TRY(place.asked, task_target_here(arguments));
  }
  OPBENCH_TRY(place.device, device_of_variant(place.target(), settings));
  return place;
}

/// The times then are of what the log names, those now of the device that is here.
void note_device(const ReplayPlace& place, ReplayedTrials& replayed) {
  if (device_type(place.target()) == DeviceType::kCpu) return;
  std::set<std::string> targets;
  for (const ReplayTrial& trial : replayed.trials) {
    if (trial.now) targets.insert(trial.record.target);
  }
  if (targets.empty()) return;
  replayed.warnings.push_back(
      fmt::format("measured on {} ({}), by the device's own clock; the log's times are of {}, so a "
                  "ratio may be of two devices",
                  place.device.name, place.device.description, fmt::join(targets, ", ")));
}

Result<ReplayWish> wish_of(const Arguments& arguments, const ReplayPlace& place) {
  ReplayWish wish{.target = place.asked};
  OPBENCH_TRY(wish.is_best_only, arguments.is_on("--best"));
  if (arguments.has("--limit")) {
    OPBENCH_TRY(wish.limit, arguments.integer("--limit", 1));
  }
  for (const std::string& word : arguments.values("--only")) {
    const auto number = parse_integer(word);
    if (!number || *number < 1) {
      return Error{ErrorCode::kInvalidInput,
                   "--only takes the line of a trial from 1, not \"" + word + "\""};
    }
    wish.lines.insert(*number);
  }
  return wish;
}

/// A log that was read.
struct ReadLog {
  ScanReport report;
  std::vector<ReplayTrial> trials;
  int64_t last_line = 0;  ///< with a record
};

ReadLog read_log(const std::string& path, ReplayPlan& plan) {
  ReadLog log;
  log.report = scan_records(path, {}, [&](const AnyRecord& record, const ReadItem& item) {
    const auto* trial = std::get_if<TuningRecord>(&record);
    if (trial != nullptr) plan.add(*trial, item.line);
    log.last_line = item.line;
  });
  log.trials = plan.finish();
  return log;
}

Error no_such_record(const Arguments& arguments, const ReadLog& log) {
  const std::string& path = arguments.positionals().front();
  if (!arguments.values("--only").empty()) {
    return Error{ErrorCode::kNoMatch, "no such record in \"" + path + "\""}.with(
        "lines", "1 to " + std::to_string(log.last_line));
  }
  return {ErrorCode::kNoMatch, fmt::format("all of {} trials failed then", log.report.valid)};
}

/// The log of this replay: --log, else one among the files of the run.
Result<TrialLog> open_log(const Arguments& arguments, const TrialFolders& folders) {
  if (arguments.has("--log")) return TrialLog::open(arguments.value("--log"));
  const fs::path source = arguments.positionals().front();
  return TrialLog::open(folders.packages.path() / (source.stem().string() + ".replay.log"));
}

Result<void> take_what_is_there(TrialLog& log, bool continues, std::vector<ReplayTrial>& trials) {
  if (continues) {
    OPBENCH_CHECK(take_replayed(log, trials));
    return {};
  }
  return log.read([&](const TuningRecord&) -> Result<void> {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("log \"{}\" holds trials already", log.path().string())}
        .with("give", "--continue to leave out what it holds, or another name");
  });
}

Result<void> check_log(const Arguments& arguments) {
  OPBENCH_TRY(const bool continues, arguments.is_on("--continue"));
  if (continues && !arguments.has("--log")) {
    return Error{ErrorCode::kInvalidInput, "--continue needs --log"};
  }
  return {};
}

ReplayProgress show_on(ProgressLine& line) {
  return [&line, begin = monotonic_s()](size_t done, size_t total, const ReplayTrial& last) {
    Progress progress{.stage = "replay",
                      .item = last.record.task + " " + short_shapes(last.task->workload),
                      .done = static_cast<int64_t>(done),
                      .total = static_cast<int64_t>(total)};
    if (!last.now->costs_s.empty()) progress.time_ms = s_to_ms(mean_cost(last.now->costs_s));
    progress.eta_s =
        (monotonic_s() - begin) / static_cast<double>(done) * static_cast<double>(total - done);
    line.show(progress);
  };
}

Result<void> print(const ReplayedTrials& replayed, const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments));
  if (format != "table") {
    return write_answer(trial_replay_json(replayed), trial_replay_table(replayed), arguments,
                        terminal);
  }
  const TableForm form = table_form(arguments, terminal);
  return write_text(trial_replay_text(replayed, form.width, form.style), arguments, terminal);
}

Error replay_of_trials_interrupted(const Invocation& invocation) {
  std::vector<std::string> again = invocation.argv;
  const Arguments& arguments = invocation.arguments;
  if (arguments.has("--log") && !arguments.has("--continue")) again.emplace_back("--continue");
  return Error{ErrorCode::kInterrupted, "interrupted; what was measured until then is reported"}
      .with(arguments.has("--log") ? "resume" : "start over", shell_text(again));
}

/// Of a log in which nothing can be repeated.
Error nothing_replayed(const ReplayCounts& counts, const ReplayedTrials& replayed,
                       const std::string& path) {
  for (const ReplayTrial& trial : replayed.trials) {
    if (trial.fault)
      return Error(*trial.fault).with("in", fmt::format("line {} of {}", trial.line, path));
  }
  Error error{ErrorCode::kNoMatch,
              fmt::format("none of {} records can be replayed here", replayed.trials.size())};
  for (const auto& [reason, count] : counts.skipped) {
    error.facts.push_back({std::to_string(count), reason});
  }
  return error;
}

Result<void> replay_of_trials_verdict_of(const ReplayedTrials& replayed, const ScanReport& report,
                                         const Invocation& invocation) {
  if (replayed.is_interrupted) return replay_of_trials_interrupted(invocation);
  const ReplayCounts counts = counts_of(replayed);
  const std::string& path = invocation.arguments.positionals().front();
  if (counts.replayed == 0) return nothing_replayed(counts, replayed, path);
  const int64_t failed = counts.replayed - counts.correct;
  const auto wrong = counts.failures.find(error_number(FailureKind::kWrongResult));
  const bool only_wrong = wrong != counts.failures.end() && wrong->second == failed;
  const int64_t bad = report.records - report.valid;
  if (only_wrong && bad == 0 && counts.faulty == 0) {
    return Error{ErrorCode::kNotReproduced,
                 fmt::format("{} of {} records compute something else", failed, counts.replayed)};
  }
  std::vector<std::string> words;
  if (failed > 0) words.push_back(fmt::format("{} of {} records failed", failed, counts.replayed));
  if (counts.faulty > 0) {
    words.push_back(
        fmt::format("{} {} of another space", counts.faulty, counts.faulty == 1 ? "is" : "are"));
  }
  if (bad > 0) words.push_back(fmt::format("{} cannot be read", bad));
  if (words.empty()) return {};
  return Error{ErrorCode::kPartial, fmt::format("{}", fmt::join(words, ", "))};
}

Result<ReplayedTrials> replay(std::vector<ReplayTrial> trials, const Arguments& arguments,
                              const ReplayPlace& place, const std::atomic<bool>* cancel,
                              Terminal& terminal) {
  OPBENCH_TRY(const TrialFolders folders, make_trial_folders());
  OPBENCH_TRY(TrialLog log, open_log(arguments, folders));
  OPBENCH_TRY(const bool continues, arguments.is_on("--continue"));
  OPBENCH_CHECK(take_what_is_there(log, continues, trials));
  OPBENCH_TRY(LocalMachineOptions options,
              trial_machine_options(arguments, place.target(), folders, cancel));
  options.run.engine_options.device = place.device.index;
  options.measures_precisely = true;
  LocalMachine machine(std::move(options));
  ProgressLine progress(terminal);
  auto replayed = replay_trials(std::move(trials), machine, log, show_on(progress));
  progress.clear();
  keep_trials(log.path().string(), terminal);
  if (replayed) note_device(place, *replayed);
  return replayed;
}

}  // namespace

Result<bool> holds_trials(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored) && !fs::is_directory(path, ignored)) return false;
  OPBENCH_TRY(RecordFile file, open_records(path));
  if (file.reader == nullptr) {
    return Error{ErrorCode::kNoMatch, "no records in \"" + path + "\""};
  }
  for (;;) {
    OPBENCH_TRY(const std::optional<ReadItem> item, file.reader->next());
    if (!item) return true;
    if (item->record) return std::holds_alternative<TuningRecord>(*item->record);
  }
}

std::vector<OptionDef> trial_replay_options() {
  std::vector<OptionDef> options = {
      {.name = "--best",
       .help = "of every target, task and arguments the fastest trial alone",
       .kind = OptionKind::kSwitch},
      {.name = "--limit", .value_name = "N", .help = "no more than so many trials"},
      {.name = "--target",
       .value_name = "TARGET",
       .help = "compile for it, not for what each trial names; it must run here"},
      {.name = "--device",
       .value_name = "NAME",
       .help = "that runs --target's code, of `list devices`; default: the first of its kind"},
      {.name = "--log",
       .value_name = "FILE",
       .help = "log what was measured there, as `tune` does",
       .file = FileUse::kWritten},
      {.name = "--continue",
       .help = "leave out what --log holds already",
       .kind = OptionKind::kSwitch}};
  for (OptionDef& option : trial_options()) options.push_back(std::move(option));
  for (OptionDef& option : options) option.is_settable = false;
  return options;
}

Result<void> replay_log(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  const std::string& path = arguments.positionals().front();
  OPBENCH_CHECK(check_log(arguments));
  OPBENCH_TRY(const ReplayPlace place, place_of(arguments));
  OPBENCH_TRY(ReplayWish wish, wish_of(arguments, place));
  ReplayPlan plan(std::move(wish));
  ReadLog log = read_log(path, plan);
  const Interruption interruption;
  if (log.report.failure) return Error(*log.report.failure);
  print_messages(log.report, terminal);
  if (log.trials.empty() && log.report.has_errors())
    return outcome_of({log.report}, log.report.valid == 0);
  if (log.trials.empty()) return no_such_record(arguments, log);
  const bool is_any = std::ranges::any_of(
      log.trials, [](const ReplayTrial& trial) { return trial.task != nullptr; });
  ReplayedTrials replayed{.trials = std::move(log.trials)};
  if (is_any) {
    OPBENCH_TRY(replayed, replay(std::move(replayed.trials), arguments, place, &interruption.flag(),
                                 terminal));
  }
  interruption.end();
  if (is_any || arguments.value("--format") == "json") {
    OPBENCH_CHECK(print(replayed, arguments, terminal));
  }
  return replay_of_trials_verdict_of(replayed, log.report, invocation);
}

}  // namespace opbench
