#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <set>

#include "base/json/json_text.h"
#include "experiments/interference/interference_session.h"
#include "experiments/sessions/request/run_request.h"
#include "model/operators/workloads/workload.h"
#include "prediction/interference/interference_file.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/records/kept_records.h"
#include "presentation/cli/waits/wait_notice.h"
#include "presentation/report/interference/interference_report.h"
#include "records/store/kept_reports.h"

namespace opbench {
namespace {

constexpr int kInterferenceIndent = 2;
constexpr int64_t kMostUnits = 64;

Result<InterferenceSubject> interference_subject_of(const std::string& text) {
  InterferenceSubject subject;
  if (is_workload(text)) {
    OPBENCH_TRY(const Workload workload, parse_workload(text));
    subject.workload = text_of(workload);
    return subject;
  }
  OPBENCH_TRY(const ModelArgument model, resolve_model(text));
  subject.model = model.name;
  subject.model_is_zoo = model.is_zoo;
  return subject;
}

Result<InterferenceRequest> interference_request(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  InterferenceRequest request;
  OPBENCH_TRY(request.run, run_request_of(invocation));
  OPBENCH_TRY(const int64_t units, arguments.integer("--units", 1, kMostUnits));
  request.units = static_cast<int>(units);
  OPBENCH_TRY(const double hurts, arguments.percent("--threshold"));
  request.threshold = 1 + hurts;
  OPBENCH_TRY(const bool has_only_neighbour, arguments.is_on("--neighbour"));
  request.has_pairs = !has_only_neighbour;
  const std::vector<std::string>& texts = arguments.positionals();
  for (const std::string& text : texts) {
    if (std::ranges::count(texts, text) > 1) {
      return Error{ErrorCode::kInvalidInput, "\"" + text + "\" is named twice"}.with(
          "reason", "every unit meets itself anyway");
    }
    OPBENCH_TRY(InterferenceSubject subject, interference_subject_of(text));
    request.subjects.push_back(std::move(subject));
  }
  return request;
}

/// Refuses outputs that cannot be written before anything is measured.
Result<std::string> interference_format_of(const Arguments& arguments) {
  OPBENCH_CHECK(check_table_options(arguments));
  const std::string svg = arguments.value("--svg");
  if (!svg.empty()) OPBENCH_CHECK(check_writable(svg, "--svg"));
  return format_of(arguments);
}

std::string interference_report_of(const InterferenceResult& result, const std::string& format,
                                   const Arguments& arguments, const Terminal& terminal) {
  if (format == "json") return json_text(interference_json(result), kInterferenceIndent) + "\n";
  if (format == "csv") return csv_text(slowdown_table(result));
  if (format == "md") return interference_markdown(result);
  const TableForm form = table_form(arguments, terminal);
  return interference_text(result, form.width, form.style);
}

Result<void> interference_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format, interference_format_of(arguments));
  OPBENCH_TRY(InterferenceRequest request, interference_request(invocation));
  constexpr int kProcesses = 2;
  const Interruption interruption;
  ProgressLine progress(terminal);
  request.run.hooks.cancel = &interruption.flag();
  WaitNotice waits(progress,
                   estimate_preparation("interference", prepared_requests(request), kProcesses),
                   request.run.measure.budget_s);
  request.run.hooks.progress = [&](const Progress& state) { waits.show(state); };
  const Result<InterferenceResult> result = run_interference(request);
  progress.clear();
  waits.keep();
  if (!result) return Error(result.error());
  OPBENCH_CHECK(write_text(interference_report_of(*result, format, arguments, terminal), arguments,
                           terminal));
  terminal.out << std::flush;
  keep_whole_report(kInterferenceReports, json_text(interference_json(*result)) + "\n", terminal);
  if (format == "csv" && !terminal.is_quiet) {  // the other formats hold them
    for (const std::string& warning : result->warnings) {
      terminal.err << "warning: " << warning << "\n";
    }
  }
  if (const std::string svg = arguments.value("--svg"); !svg.empty()) {
    OPBENCH_CHECK(write_output(svg, heat_svg(interference_map(*result))));
  }
  if (interruption.flag()) return Error{ErrorCode::kInterrupted, "interrupted"};
  if (result->failures.empty()) return {};
  Error error{ErrorCode::kPartial, fmt::format("{} co-run{} failed", result->failures.size(),
                                               result->failures.size() == 1 ? "" : "s")};
  for (const std::string& failure : result->failures)
    error = std::move(error).with("failed", failure);
  return error;
}

/// Those of `profile` that decide about co-runs.
std::vector<OptionDef> interference_options() {
  static const std::set<std::string> kLeftOut = {
      "--engine",     "--threads", "--cache",    "--runs", "--warm-up", "--label",
      "--percentile", "--metric",  "--executor", "--plan", "--parallel"};
  std::vector<OptionDef> result = {
      {.name = "--units",
       .value_name = "N",
       .help = "how many units of each model meet: those that take most of its time",
       .otherwise = "6"},
      {.name = "--neighbour",
       .value_name = "",
       .help = "measure units beside the neighbour only: sensitivity and pressure, no pairs",
       .kind = OptionKind::kSwitch},
      {.name = "--threshold",
       .value_name = "PERCENT",
       .help = "a pair is to be avoided where one of the two is slowed by more",
       .otherwise = "10"},
      {.name = "--svg",
       .value_name = "FILE",
       .help = "write the heat map there, as an SVG image",
       .is_settable = false,
       .file = FileUse::kWritten}};
  for (const auto& some : {model_options(), measuring_options()}) {
    for (OptionDef& option : with_hidden(some, kLeftOut)) {
      if (option.name == "--budget") {
        option.help = "for all co-runs together, once all is prepared: seconds, or 90s, 1.5m";
        option.otherwise = "60";
      }
      if (option.name == "--precision") {
        option.help = "half-width of a slow-down's interval at which it is not visited again";
        option.otherwise = "2";
      }
      if (option.name == "--cpus") {
        option.help = "where the two sides run; default: two cores by the machine's topology";
      }
      result.push_back(std::move(option));
    }
  }
  for (OptionDef& option : table_options()) result.push_back(std::move(option));
  return result;
}

}  // namespace

CommandDef interference_command() {
  return {
      .name = "interference",
      .summary =
          "Measure how much units slow each other down side by side, and which pairs to avoid",
      .positionals = {{.name = "MODEL|WORKLOAD",
                       .help = "ONNX files or URLs, names from `opbench list models`, or workloads "
                               "in quotes as `op` takes them",
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = interference_options(),
      .examples = {{"opbench interference inception_v3",
                    "its heavy units side by side, as a heat map"},
                   {"opbench interference squeezenet_v1.1 inception_v3 --units 4 --budget 2m",
                    "units of two models, also across"},
                   {"opbench interference inception_v3 --neighbour",
                    "sensitivity and pressure of each unit, without pairs"},
                   {"opbench interference squeezenet_v1.1 --format json -o i.json --svg i.svg",
                    "everything in files"}},
      .notes =
          "A slow-down is the time of a call beside something on the other CPU over its time "
          "alone\n"
          "in the same round. Each side has one thread. Turns in which a thread was preempted are "
          "left\n"
          "out, rounds with too few turns are dropped, and both are counted. Pressure is the "
          "slow-down\n"
          "of a reference probe beside the unit. Forecasts read a unit's slow-down off its curve "
          "at\n"
          "the other's pressure; beside them stand no slow-down at all (max), taking turns (sum) "
          "and\n"
          "the share of memory's bandwidth.",
      .help_rank = 6,
      .run = interference_run};
}

}  // namespace opbench
