#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <ostream>

#include "base/errors/suggestion.h"
#include "base/files/text_file.h"
#include "base/json/json_text.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/plan/plan_choice.h"
#include "experiments/plan/plan_session.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/unit_times/unit_times.h"
#include "planning/planners/planner.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/plan/device_plan_run.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/records/kept_records.h"
#include "presentation/cli/waits/wait_notice.h"
#include "presentation/report/plan/plan_report.h"
#include "records/record/profile_records.h"
#include "records/store/kept_reports.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

constexpr int kPlanIndent = 1;
constexpr int kMostTries = 20;

struct Outputs {
  std::string format;  ///< of the report
  std::string plan, trace;
};

Result<Outputs> outputs_of(const Arguments& arguments) {
  Outputs outputs;
  OPBENCH_TRY(outputs.format, format_of(arguments));
  outputs.plan = arguments.value("--output");
  outputs.trace = arguments.value("--trace");
  if (!outputs.plan.empty()) OPBENCH_CHECK(check_writable(outputs.plan, "--output"));
  if (!outputs.trace.empty()) OPBENCH_CHECK(check_writable(outputs.trace, "--trace"));
  return outputs;
}

Result<PlanRequest> plan_request(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  PlanRequest request;
  OPBENCH_TRY(ProfileRequest asked, request_of(invocation));
  if (asked.threads.size() != 1) {
    return Error{ErrorCode::kInvalidInput, "a plan is for one number of threads"}.with(
        "usage", "--threads 2");
  }
  request.workers = asked.threads.front();
  request.run = run_of(std::move(asked));
  request.planners = arguments.values("--planner");
  for (const std::string& name : request.planners) OPBENCH_CHECK(planner_table().find(name));
  request.profile_name = arguments.value("--from");
  if (!request.profile_name.empty()) {
    OPBENCH_TRY(request.profile_text, read_text_file(request.profile_name));
  }
  OPBENCH_TRY(const std::string times, arguments.choice("--times", {"measured", "predicted"}));
  request.predicts_times = times == "predicted";
  request.predictors = arguments.value("--predictors");
  if (arguments.is_typed("--predictors") && !request.predicts_times) {
    return Error{ErrorCode::kInvalidInput, "--predictors goes with --times predicted"};
  }
  if (request.predicts_times && !request.profile_name.empty()) {
    return Error{ErrorCode::kInvalidInput, "--from gives measured times, not predicted ones"}.with(
        "valid", "--from FILE or --times predicted");
  }
  OPBENCH_TRY(const int64_t tries, arguments.integer("--tries", 1, kMostTries));
  request.tries = static_cast<int>(tries);
  request.slowdowns_name = arguments.value("--interference");
  if (!request.slowdowns_name.empty()) {
    OPBENCH_TRY(request.slowdowns_text, read_text_file(request.slowdowns_name));
  }
  OPBENCH_TRY(const std::string sets, arguments.choice("--sets", {"kept", "none"}));
  if (sets == "kept") request.sets = default_store_folder().value_or("");
  OPBENCH_TRY(const ModelArgument model, resolve_model(arguments.positionals().front()));
  request.run.model.name = model.name;
  request.run.model.is_zoo = model.is_zoo;
  return request;
}

Result<std::string> plan_report_of(const PlanResult& result, const Outputs& outputs,
                                   const Terminal& terminal) {
  const TextStyle style{terminal.has_colour};
  if (outputs.format == "json") return json_text(plan_json(result), kPlanIndent) + "\n";
  if (outputs.format == "table") return plan_text(result, terminal.width, style);
  return formatted_text(plan_table(result), outputs.format, terminal.width, style);
}

/// `--verify FILE`: nothing is planned.
Result<void> verify(PlanRequest request, const std::string& name, Terminal& terminal) {
  OPBENCH_TRY(const std::string text, read_text_file(name));
  OPBENCH_TRY(const PlanFile plan, parse_plan_file(text, name));
  request.workers = plan.plan.workers;
  OPBENCH_CHECK(check_plan_fits(request, plan, name));
  OPBENCH_TRY(const Timeline timeline, simulate(plan.timed, plan.plan));
  terminal.out << fmt::format("\"{}\" is a plan of {} for {} workers: {} units, {}\n", name,
                              plan.model, plan.plan.workers, plan.timed.size(), plan.plan.planner)
               << timeline_text(plan.plan, timeline, terminal.width);
  return {};
}

/// The model is timed with every size of team, unless its times are given; then each plan that is
/// tried has the budget beside sequential, and the fastest once more.
WaitNotice plan_waits(const PlanRequest& request, bool is_simulated, ProgressLine& progress) {
  constexpr int kProcesses = 3;
  const bool is_timed = request.profile_name.empty() && !request.predicts_times;
  const ProfileRequest profile =
      profile_of(request.run, {package_engine().name},
                 is_timed ? team_sizes(request.workers) : std::vector<int>{request.workers});
  const int tries = is_simulated ? 0 : request.tries + (request.tries > 1 ? 1 : 0);
  const auto teams = static_cast<double>(profile.threads.size());
  // Each try prepares the model twice: in order and by its plan.
  const PreparationEstimate estimate =
      estimate_preparation("plan", {profile}, kProcesses, 1 + 2.0 * tries / teams);
  const double runs = (is_timed ? teams : 0) + tries;
  return {progress, estimate, runs * request.run.measure.budget_s};
}

Result<void> plan_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.has("--devices")) return plan_on_devices(invocation, terminal);
  if (arguments.has("--at-least")) {
    return Error{ErrorCode::kInvalidInput, "--at-least is of plans for devices"}.with(
        "usage", "--devices cpu0,opencl:0 --at-least opencl:0=34");
  }
  OPBENCH_TRY(const Outputs outputs, outputs_of(arguments));
  OPBENCH_TRY(PlanRequest request, plan_request(invocation));
  const Interruption interruption;
  ProgressLine progress(terminal);
  request.run.hooks.cancel = &interruption.flag();
  OPBENCH_TRY(const bool is_simulated, arguments.is_on("--simulate"));
  std::optional<WaitNotice> waits;
  if (!arguments.has("--verify")) waits.emplace(plan_waits(request, is_simulated, progress));
  request.run.hooks.progress = [&](const Progress& state) { waits->show(state); };
  if (arguments.has("--verify")) {
    request.run.hooks.progress = {};
    return verify(std::move(request), arguments.value("--verify"), terminal);
  }
  Result<PlanResult> result = run_plan(request);
  const Result<void> confirmed =
      result && !is_simulated ? confirm_choice(request, *result) : Result<void>();
  progress.clear();
  waits->keep();
  const std::string resume = shell_text(request.run.notes.argv);
  if (!result && result.error().code == ErrorCode::kInterrupted) {
    return Error(result.error()).with("resume", resume);
  }
  if (!confirmed) return confirmed;
  if (!result) return Error(result.error());
  interruption.end();
  OPBENCH_TRY(const std::string report, plan_report_of(*result, outputs, terminal));
  terminal.out << report << std::flush;
  if (interruption.flag()) {
    return Error{ErrorCode::kInterrupted,
                 "interrupted; what was found until then is reported, no file is written"}
        .with("resume", resume);
  }
  const std::string plan = json_text(to_json(result->file), kPlanIndent) + "\n";
  keep_whole_report(kPlanReports, plan, terminal);
  if (!outputs.plan.empty()) OPBENCH_CHECK(write_output(outputs.plan, plan));
  if (outputs.trace.empty()) return {};
  const Timeline& timeline = result->candidates[result->chosen].timeline;
  return write_output(outputs.trace, json_text(trace_json(result->file, timeline)) + "\n");
}

std::string planner_names() {
  std::vector<std::string> names;
  for (const PlannerDef& planner : planner_table().all()) {
    if (planner.name != kSequentialPlanner) names.push_back(planner.name);
  }
  return join(names);
}

/// Where times and slow-downs of units are from.
std::vector<OptionDef> source_options() {
  return {
      {.name = "--from",
       .value_name = "FILE",
       .help = "times from a report of `opbench profile MODEL --threads 1,2 --format json`;\n"
               "default: they are measured now",
       .is_settable = false,
       .file = FileUse::kRead},
      {.name = "--times",
       .value_name = "WORD",
       .help =
           "of units: `measured` now, or `predicted` by what `opbench predict train` learnt for\n"
           "each size of team",
       .otherwise = "measured"},
      {.name = "--predictors",
       .value_name = "FOLDER",
       .help = "where predictors are kept; default: in the cache, by machine"},
      {.name = "--interference",
       .value_name = "FILE",
       .help =
           "slow-downs side by side from a report of `opbench interference MODEL --format json`;\n"
           "default: neighbours cost nothing",
       .is_settable = false,
       .file = FileUse::kRead}};
}

/// Those of `profile` that decide about a plan, and its own.
std::vector<OptionDef> plan_options() {
  std::vector<OptionDef> result = worker_options();
  for (OptionDef& option : result) {
    if (option.name != "--budget") continue;
    option.help =
        "to measure the units with each size of team, and each plan that is tried, once all is\n"
        "prepared: seconds, or 90s, 1.5m, 1h";
  }
  const std::vector<OptionDef> devices = device_plan_options();
  result.insert(result.end(), devices.begin(), devices.end());
  const std::vector<OptionDef> sources = source_options();
  result.insert(result.end(), sources.begin(), sources.end());
  const std::vector<OptionDef> own = {
      {.name = "--sets",
       .value_name = "WORD",
       .help = "`kept`: where one worker computes a unit, use the kernel that `opbench tune\n"
               "--together` kept for it; not with --from. `none`: use default kernels",
       .otherwise = "kept"},
      {.name = "--planner",
       .value_name = "NAME,NAME…",
       .help = "these beside sequential: " + planner_names() + "; default: all",
       .kind = OptionKind::kList},
      {.name = "--tries",
       .value_name = "N",
       .help =
           "run at most so many of the plans with the largest predicted gain beside sequential\n"
           "and keep the fastest; each takes --budget",
       .otherwise = "3"},
      {.name = "--simulate",
       .value_name = "",
       .help = "run no plan beside sequential",
       .kind = OptionKind::kSwitch},
      {.name = "--verify",
       .value_name = "FILE",
       .help = "say whether a plan fits this model, its kernels and CPUs; plan nothing",
       .is_settable = false,
       .file = FileUse::kRead},
      format_option("of the report: table, json, csv or md"),
      {.name = "--output",
       .value_name = "FILE",
       .help = "write the plan that was chosen there (opbench.plan/1)",
       .short_name = "-o",
       .file = FileUse::kWritten},
      {.name = "--trace",
       .value_name = "FILE",
       .help = "write its simulated timeline there, as a Chrome trace",
       .is_settable = false,
       .file = FileUse::kWritten}};
  result.insert(result.end(), own.begin(), own.end());
  return result;
}

}  // namespace

CommandDef plan_command() {
  return {
      .name = "plan",
      .summary = "Plan which units of a model run side by side, and on which workers",
      .positionals = {{.name = "MODEL",
                       .help = "an ONNX file or its URL, or a name from `opbench list models`",
                       .file = FileUse::kRead}},
      .options = plan_options(),
      .examples =
          {{"opbench plan inception_v3 --threads 2 -o plan.json",
            "measure, compare the planners, keep the chosen plan"},
           {"opbench profile inception_v3 --threads 1,2 --format json -o p.json && opbench plan "
            "inception_v3 --from p.json",
            "plan again without measuring again"},
           {"opbench plan inception_v3 --times predicted --tries 5",
            "measure no unit, run the five plans that are predicted to be fastest"},
           {"opbench plan resnet-18 --devices cpu0,opencl:0 --at-least opencl:0=34",
            "a CPU and an OpenCL device as workers, a third of the units on that"},
           {"opbench plan inception_v3 --verify plan.json", "whether the plan is still right"}},
      .notes =
          "Times are those of units inside the running model, for every size of team. Makespans\n"
          "are simulated: what hand-offs cost is in them, what neighbours cost with --interference "
          "only.\n"
          "`of H - 1` is the part of the possible gain that a plan has; `over bound` how much\n"
          "longer it takes than the ceiling says, which no plan may reach. Sequential stays "
          "unless\n"
          "another plan gains more than 3 %, the interval of its gain excludes 0, its outputs are\n"
          "those of its kernels in order bit for bit, and it is faster when both are run.",
      .help_rank = 5,
      .run = plan_run};
}

}  // namespace opbench
