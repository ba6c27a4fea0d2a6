#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"
#include "base/system/seconds.h"
#include "experiments/sessions/request/profile_request.h"
#include "kernels/tasks/extract_tasks.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/records/best_from_store.h"
#include "presentation/cli/records/kept_records.h"
#include "presentation/cli/tune/task_model.h"
#include "presentation/cli/tune/together_tuning.h"
#include "presentation/cli/tune/trial_setup.h"
#include "presentation/cli/tune/zero_shot_tuning.h"
#include "presentation/report/tune/tune_report.h"
#include "records/record/profile_records.h"
#include "tuning/trials/own_task.h"
#include "tuning/trials/tune_run.h"

namespace opbench {
namespace {

/// What the log is called when nobody says: after the model, in the current folder.
std::string tune_log_of(const Arguments& arguments) {
  std::string given = arguments.value("--log");
  if (!given.empty()) return given;
  const std::string& model = arguments.positionals().front();
  const bool is_name = model.find(' ') == std::string::npos;
  const std::string name = is_name ? std::filesystem::path(model).stem().string() : "workload";
  return name + (arguments.has("--zero-shot") ? ".zero-shot.jsonl" : ".tune.log");
}

Result<TuneRequest> tune_request_of(const Arguments& arguments) {
  TuneRequest request{.log = tune_log_of(arguments), .log_format = arguments.value("--log-format")};
  OPBENCH_TRY(request.tuner, tuner_table().find(arguments.value("--tuner")));
  OPBENCH_TRY(request.trials, arguments.integer("--trials", 1));
  OPBENCH_TRY(const int64_t threads, arguments.integer("--threads", 1, kMostThreads));
  request.threads = static_cast<int>(threads);
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  request.seed = static_cast<uint64_t>(seed);
  OPBENCH_TRY(request.continues, arguments.is_on("--continue"));
  // AutoTVM's tuners start from nothing, as theirs do.
  if (request.tuner->shares_trials) request.known = known_config;
  if (arguments.has("--time-budget")) {
    OPBENCH_TRY(request.budget_s, arguments.seconds("--time-budget"));
  }
  return request;
}

/// Of TVM's templates or of ours.
Result<std::vector<ModelTask>> tasks_of(const Arguments& arguments, const Target& target,
                                        const TuneRequest& request, Terminal& terminal) {
  std::string templates = request.tuner->shares_trials ? "own" : "tvm";
  if (arguments.has("--templates")) {
    OPBENCH_TRY(templates, arguments.choice("--templates", {"own", "tvm"}));
  }
  OPBENCH_TRY(Model model, task_model(arguments, terminal));
  if (templates == "own") return own_tasks(std::move(model), target, request.threads);
  std::vector<ModelTask> tasks;
  for (CountedTask& counted : count_tasks(model, target)) {
    tasks.push_back({std::move(counted.task), counted.uses});
  }
  return tasks;
}

/// The tasks of the model; --task leaves one.
Result<void> add_tasks(const Arguments& arguments, const Target& target, TuneRequest& request,
                       Terminal& terminal) {
  OPBENCH_TRY(request.tasks, tasks_of(arguments, target, request, terminal));
  if (request.tasks.empty()) return no_task(arguments.positionals().front(), target);
  if (!arguments.has("--task")) return {};
  OPBENCH_TRY(request.only, task_number(arguments, request.tasks.size()));
  return {};
}

/// One line: the task at work, its best so far, when all is done.
Progress progress_of(const TunedTask& task, std::optional<size_t> place, size_t count,
                     const TuneRequest& request, double run_s) {
  Progress progress{.stage = fmt::format("task {}", task.number),
                    .item = task.task.name,
                    .done = task.state.trials,
                    .total = task.wanted};
  if (const auto best_s = best_s_of(task)) progress.time_ms = s_to_ms(*best_s);
  const double made = static_cast<double>(task.state.trials - task.state.resumed);
  if (made > 0 && place) {
    const double left = static_cast<double>(task.wanted - task.state.trials) +
                        static_cast<double>(count - *place - 1) * static_cast<double>(task.wanted);
    progress.eta_s = task.state.seconds / made * left;
  }
  if (request.budget_s) {
    progress.eta_s =
        std::min(progress.eta_s.value_or(*request.budget_s), *request.budget_s - run_s);
  }
  return progress;
}

Result<void> tune_verdict_of(const TuneResult& result, const Invocation& invocation) {
  if (result.is_interrupted) {
    std::vector<std::string> again = invocation.argv;
    if (!invocation.arguments.has("--continue")) again.emplace_back("--continue");
    return Error{ErrorCode::kInterrupted, "interrupted; every trial made until then is in the log"}
        .with("resume", shell_text(again));
  }
  const bool has_best = std::ranges::any_of(
      result.tasks, [](const TunedTask& task) { return task.state.best.has_value(); });
  if (result.is_out_of_time && !has_best) {
    return Error{ErrorCode::kTimeBudget,
                 fmt::format("--time-budget {} ended before any trial worked",
                             invocation.arguments.value("--time-budget"))}
        .with("give", "a longer one; trials made until then are in the log");
  }
  Error error{ErrorCode::kPartial, ""};
  bool has_trials = false;
  for (const TunedTask& task : result.tasks) {
    has_trials = has_trials || task.state.trials > 0;
    if (task.state.best || (task.state.trials == 0 && !task.state.is_exhausted)) continue;
    error.facts.push_back(
        {fmt::format("task {}", task.number),
         task.state.trials == 0 ? "none of its points can be built" : "all of its trials failed"});
  }
  if (error.facts.empty()) return {};
  error.message = fmt::format("{} of {} tasks without a config that works", error.facts.size(),
                              result.tasks.size());
  if (!has_trials) error.code = ErrorCode::kInvalidInput;
  return error;
}

Result<void> tune_report(const TuneResult& result, const TuneRequest& request,
                         const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.value("--format") == "json") {
    terminal.out << tune_summary_json(result, request.log.string(),
                                      display_text(request.tasks.front().task.target))
                 << std::flush;
  } else {
    OPBENCH_CHECK(write_table(tune_table(result), "", "", arguments, terminal));
    if (!terminal.is_quiet) {
      for (const std::string& line : gain_lines(result)) terminal.err << line << "\n";
    }
    for (const UntunedTask& task : result.untuned) {
      terminal.err << fmt::format("task {} {} is not tuned: {}\n", task.number, task.task.name,
                                  task.reason);
    }
    for (const std::string& warning : result.warnings) {
      terminal.err << "warning: " << warning << "\n";
    }
  }
  keep_trials(request.log.string(), terminal);
  return tune_verdict_of(result, invocation);
}

/// What only trials need has no meaning without them.
Result<bool> makes_no_trial(const Arguments& arguments) {
  OPBENCH_TRY(const bool is_zero_shot, arguments.is_on("--zero-shot"));
  if (!is_zero_shot) return false;
  for (const char* option : {"--trials", "--continue", "--time-budget", "--cache"}) {
    if (!arguments.is_typed(option)) continue;
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("--zero-shot makes no trial, so {} has no meaning", option)}
        .with("leave out", "one of them; without --zero-shot, `tune` begins with the same configs");
  }
  return true;
}

/// One model, or several workloads that are tuned together.
Result<bool> is_together(const Arguments& arguments) {
  OPBENCH_TRY(const bool is_on, arguments.is_on("--together"));
  if (is_on) return true;
  const std::vector<std::string>& texts = arguments.positionals();
  if (texts.size() > 1) {
    return Error{ErrorCode::kInvalidInput, fmt::format("unexpected argument \"{}\"", texts[1])}
        .with("takes", "one MODEL|WORKLOAD, or two workloads with --together");
  }
  if (!arguments.is_typed("--budget")) return false;
  OPBENCH_CHECK(arguments.seconds("--budget"));
  return Error{ErrorCode::kInvalidInput, "--budget has no meaning without --together"}.with(
      "usage", "--time-budget " + arguments.value("--budget"));
}

Result<void> tune_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const bool has_set, is_together(arguments));
  if (has_set) return tune_set(invocation, terminal);
  OPBENCH_TRY(const std::string format, format_of(arguments));
  OPBENCH_TRY(const bool is_zero_shot, makes_no_trial(arguments));
  OPBENCH_TRY(TuneRequest request, tune_request_of(arguments));
  OPBENCH_TRY(const Target target, task_target_here(arguments));
  OPBENCH_CHECK(add_tasks(arguments, target, request, terminal));
  if (is_zero_shot) {
    return tune_without_trials(request, target, request.log.string(), arguments, terminal);
  }
  if (request.tuner->shares_trials) request.promising = promising_from_store(target);
  const Interruption interruption;
  OPBENCH_TRY(const TrialFolders folders, make_trial_folders());
  OPBENCH_TRY(LocalMachineOptions options,
              trial_machine_options(arguments, target, folders, &interruption.flag()));
  if (arguments.has("--cache")) {
    OPBENCH_TRY(const std::string cache, arguments.choice("--cache", {"hot", "cold-weights"}));
    options.cold_weights = cache == "cold-weights";
  }
  LocalMachine machine(std::move(options));
  ProgressLine progress(terminal);
  const auto begin = std::chrono::steady_clock::now();
  TuneHooks hooks;
  hooks.progress = [&](const TunedTask& task, std::optional<size_t> place, size_t count) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    progress.show(progress_of(task, place, count, request, spent.count()));
  };
  hooks.finished = [&](const TunedTask& task) {
    progress.clear();
    if (format == "json") terminal.out << tuned_task_json(task) << std::flush;
  };
  OPBENCH_TRY(const TuneResult result, run_tune(request, machine, hooks));
  progress.clear();
  interruption.end();
  return tune_report(result, request, invocation, terminal);
}

std::vector<OptionDef> tune_options() {
  std::vector<OptionDef> result = {
      {.name = "--trials",
       .value_name = "N",
       .help = "points to try for each task, with those that the log holds",
       .otherwise = "1000"},
      {.name = "--tuner",
       .value_name = "TUNER",
       .help = join(tuner_table().names()),
       .otherwise = "opbench"},
      {.name = "--templates",
       .value_name = "WHOSE",
       .help = "own: schedules of this program; tvm: those of AutoTVM; default: own with opbench"},
      {.name = "--log",
       .value_name = "FILE",
       .help = "trials, one a line as AutoTVM writes them, or protobuf, which keeps what failures\n"
               "say: as FILE is, by its ending (.pb: protobuf) if it is new; default:\n"
               "MODEL.tune.log",
       .is_settable = false,
       .file = FileUse::kWritten},
      {.name = "--log-format",
       .value_name = "FORMAT",
       .help = "autotvm or protobuf, whatever the ending of the log",
       .is_hidden = true,
       .is_settable = false},
      {.name = "--continue",
       .value_name = {},
       .help = "go on where the log ends",
       .kind = OptionKind::kSwitch,
       .is_settable = false},
      {.name = "--time-budget",
       .value_name = "TIME",
       .help = "for all tasks together: seconds, or 90s, 1.5m, 1h"},
      {.name = "--cache",
       .value_name = "MODE",
       .help =
           "what a trial's calls find in the caches: hot or cold-weights; default: cold-weights,\n"
           "as inside a model, but hot for AutoTVM's templates"},
      {.name = "--task", .value_name = "N", .help = "only this task, from 0 as `space` counts"},
      {.name = "--zero-shot",
       .value_name = {},
       .help =
           "no trial: choose configs by what trials of other workloads in the store teach, and\n"
           "write them to --log (default: MODEL.zero-shot.jsonl) for --tuning-log",
       .kind = OptionKind::kSwitch,
       .is_settable = false},
      format_option("table, csv, md, or json: a line a finished task, then a summary")};
  for (OptionDef& option : together_options()) result.push_back(std::move(option));
  for (OptionDef& option : trial_options()) result.push_back(std::move(option));
  for (OptionDef option : task_model_options()) {
    if (option.name == "--target") option.help = "what code is made for; it must run here";
    result.push_back(std::move(option));
  }
  return result;
}

}  // namespace

CommandDef tune_command() {
  return {
      .name = "tune",
      .summary = "Search the config spaces of a model's tasks for the fastest kernels",
      .positionals =
          {{.name = "MODEL|WORKLOAD",
            .help = "an ONNX file or its URL, a name from `opbench list models`, or operators",
            .repeats = true,
            .file = FileUse::kRead}},
      .options = tune_options(),
      .examples = {{"opbench tune resnet-18 --trials 200 --log r18.log",
                    "Ctrl-C, then the same with --continue"},
                   {"opbench tune model.onnx --time-budget 10m", ""},
                   {"opbench tune model.onnx --zero-shot",
                    "then --tuning-log model.zero-shot.jsonl"},
                   {"opbench tune 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1' --tuner random", ""},
                   {"opbench tune --together 'relu 1x64x512x512' 'matmul 512x512 w:512x512'",
                    "the best way to run both"}},
      .notes =
          "Every trial is checked against the operator's reference, and is in the log before it\n"
          "counts. Times of the table were taken afresh at the end.",
      .help_rank = 4,
      .run = tune_run};
}

}  // namespace opbench
