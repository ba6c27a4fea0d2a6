#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

#include "base/errors/suggestion.h"
#include "base/json/json_text.h"
#include "experiments/analysis/correlation_report.h"
#include "experiments/analysis/correlation_source.h"
#include "presentation/cli/analysis/analysis_output.h"
#include "presentation/cli/command.h"
#include "presentation/cli/options/store_option.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/report/analysis/correlation_chart.h"
#include "presentation/report/analysis/correlation_json.h"
#include "presentation/report/analysis/correlation_text.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

constexpr const char* kAllFactors = "all";

std::vector<OptionDef> correlate_options() {
  return {{.name = "--from",
           .value_name = "FILE|DIR",
           .help = "tuning logs, a store, or a sweep as turning-point reads it; else the store",
           .kind = OptionKind::kRepeated,
           .is_settable = false,
           .file = FileUse::kRead},
          {.name = "--of",
           .value_name = "WHAT",
           .help = "time, or failure: whether a trial failed",
           .otherwise = "time"},
          {.name = "--task",
           .value_name = "TASK",
           .help = "only this task, such as conv2d_NCHWc.x86",
           .is_settable = false},
          {.name = "--target",
           .value_name = "TARGET",
           .help = "only targets with this in their text",
           .is_settable = false},
          {.name = "--across",
           .value_name = "",
           .help = "compare times of different workloads as they are",
           .kind = OptionKind::kSwitch},
          {.name = "--sample",
           .value_name = "N",
           .help = "random rows for the tests by permutation",
           .otherwise = "1000"},
          {.name = "--plot",
           .value_name = "FACTOR",
           .help = "what the chart shows; all: every factor's measures; else the strongest factor",
           .is_settable = false},
          store_option()};
}

Result<CorrelationRequest> request_of_correlation(const Arguments& arguments) {
  CorrelationRequest request;
  OPBENCH_TRY(const std::string of, arguments.choice("--of", {"time", "failure"}));
  if (of == "failure") request.of = CorrelationOf::kFailure;
  OPBENCH_TRY(request.is_across, arguments.is_on("--across"));
  constexpr int64_t kLeast = 50;
  constexpr int64_t kMost = 100'000;
  OPBENCH_TRY(const int64_t rows, arguments.integer("--sample", kLeast, kMost));
  request.options.most_rows = static_cast<size_t>(rows);
  return request;
}

/// What the files or the store hold.
Result<CorrelationReport> correlate_report_of(const Arguments& arguments,
                                              const CorrelationRequest& request) {
  std::vector<std::string> paths = arguments.values("--from");
  if (!paths.empty() && arguments.is_typed("--store")) {
    return Error{ErrorCode::kInvalidInput, "--from and --store both say where the trials are"}.with(
        "valid", "one of them");
  }
  if (paths.empty()) {
    OPBENCH_TRY(const std::filesystem::path folder, store_folder_of(arguments));
    OPBENCH_TRY(const StoreFolder store, StoreFolder::open_to_read(folder));
    paths.push_back(store.path().string());
  }
  const TrialFilter filter{.task = arguments.value("--task"),
                           .target = arguments.value("--target")};
  return correlation_report(paths, filter, request);
}

const TaskCorrelation* first_answer(const CorrelationReport& report) {
  const auto found = std::ranges::find_if(
      report.tasks, [](const TaskCorrelation& task) { return task.failure.empty(); });
  return found == report.tasks.end() ? nullptr : &*found;
}

/// The chart that --plot names, of the first task that has an answer.
Result<Chart> chart_of(const CorrelationReport& report, const std::string& plot) {
  const TaskCorrelation* task = first_answer(report);
  if (task != nullptr && plot == kAllFactors) return factors_chart(*task);
  const bool is_relative = task != nullptr && !report.is_across && !task->task.empty();
  std::vector<std::string> names = {kAllFactors};
  for (const FactorCorrelation& factor :
       task == nullptr ? std::vector<FactorCorrelation>() : task->table.factors) {
    if (factor.factor == plot) return factor_chart(factor, is_relative);
    names.push_back(factor.factor);
  }
  if (plot.empty()) {
    const FactorCorrelation* strongest = task == nullptr ? nullptr : strongest_factor(*task);
    if (strongest != nullptr) return factor_chart(*strongest, is_relative);
    return task == nullptr ? Chart{} : factors_chart(*task);
  }
  if (plot == kAllFactors) return Chart{};
  return unknown_name("factor", plot, names);
}

Result<void> run_correlate(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const CorrelationRequest request, request_of_correlation(arguments));
  OPBENCH_TRY(const AnalysisOutput output, analysis_output(arguments, terminal));
  OPBENCH_TRY(const CorrelationReport report, correlate_report_of(arguments, request));
  OPBENCH_TRY(const Chart chart, chart_of(report, arguments.value("--plot")));
  std::string text;
  constexpr int kIndent = 2;
  if (output.format == "json") text = json_text(correlation_json(report), kIndent) + "\n";
  if (output.format == "csv") text = correlation_csv(report);
  if (output.format == "md") text = correlation_markdown(report);
  if (output.format == "table") {
    const bool is_file = !output.output.empty();
    text = correlation_text(report, is_file ? 0 : terminal.width,
                            {.has_colour = !is_file && terminal.has_colour});
  }
  OPBENCH_CHECK(write_analysis(text, chart, output, terminal));
  if (first_answer(report) != nullptr) return {};
  return Error{ErrorCode::kNoMatch, "nothing could be correlated"}.with(
      "reason", report.tasks.front().failure);
}

}  // namespace

CommandDef correlate_command() {
  CommandDef command{
      .name = "correlate",
      .summary = "Tell what the time of trials or of a sweep depends on, and what to drop",
      .options = correlate_options(),
      .examples = {{"opbench correlate --task conv2d_NCHWc.x86", "the trials of the store"},
                   {"opbench correlate --from tuning.log --svg tile.svg",
                    "a log; the image shows the strongest knob"},
                   {"opbench correlate --from tuning.log --plot all --chart",
                    "the measures of all knobs side by side"},
                   {"opbench correlate --from sweep.csv", "which key of a sweep matters"}},
      .notes =
          "For each knob: Spearman's rank correlation, distance correlation, mutual information,\n"
          "the share of the variance that it explains, the effect on the time, and a verdict:\n"
          "not varied; monotone: push to the bound, where that is fast; not monotone: look for a\n"
          "turning point;\n"
          "depends: choose a word; no dependence: drop it from tuning. Times count within their\n"
          "workload, as sizes differ more than configs do. Trials of a tuner are no random\n"
          "sample: it visits good configs more often.",
      .help_rank = 7,
      .run = run_correlate};
  for (const auto& more : {chart_options(), table_options()}) {
    command.options.insert(command.options.end(), more.begin(), more.end());
  }
  return command;
}

}  // namespace opbench
