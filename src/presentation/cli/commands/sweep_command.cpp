#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>

#include "base/errors/suggestion.h"
#include "base/files/text_file.h"
#include "base/json/json_text.h"
#include "experiments/sweep/sweep_request.h"
#include "measuring/results/sweep_json.h"
#include "presentation/cli/analysis/sweep_setup.h"
#include "presentation/cli/analysis/terminal_chart.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/options/download_flags.h"
#include "presentation/cli/options/plan_option.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/profile/profile_run.h"
#include "presentation/cli/records/kept_records.h"
#include "presentation/cli/waits/sweep_waits.h"
#include "presentation/report/sweep/sweep_chart.h"
#include "presentation/report/sweep/sweep_table.h"
#include "records/record/cut_record.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

/// What of the command line belongs to the sweep and not to its points.
std::vector<OptionDef> sweep_options() {
  return {
      {.name = "--over",
       .value_name = "KEY=V,V…",
       .help = "what to vary; given several times, every value of one with every value of the "
               "others",
       .kind = OptionKind::kRepeated,
       .is_settable = false},
      {.name = "--continue",
       .value_name = "",
       .help = "leave out points that the file of --record holds; they are in the report",
       .kind = OptionKind::kSwitch,
       .is_settable = false},
      {.name = "--chart",
       .value_name = "",
       .help = "draw the chart below the table even where stdout is no terminal",
       .kind = OptionKind::kSwitch},
      {.name = "--svg",
       .value_name = "FILE",
       .help = "write a chart with the intervals there, as an SVG image",
       .is_settable = false,
       .file = FileUse::kWritten},
  };
}

struct SweepReport {
  ReportPlan plan;
  std::string svg;
  bool has_chart = false;
};

Result<SweepReport> sweep_report(const Arguments& arguments, const Terminal& terminal) {
  SweepReport report;
  OPBENCH_TRY(report.plan, report_plan(arguments));
  OPBENCH_TRY(const bool wants_chart, arguments.is_on("--chart"));
  const bool is_data = report.plan.format == "json" || report.plan.format == "csv";
  if (wants_chart && is_data) {
    return invalid_input("--chart does not go with --format " + report.plan.format)
        .with("valid", "--format table or md; --svg FILE draws beside any format");
  }
  const bool is_shown = report.plan.format == "table" && report.plan.output.empty();
  report.has_chart = wants_chart || (is_shown && terminal.is_out_tty);
  report.svg = arguments.value("--svg");
  if (!report.svg.empty()) OPBENCH_CHECK(check_writable(report.svg, "--svg"));
  OPBENCH_TRY(const bool continues, arguments.is_on("--continue"));
  if (continues && report.plan.record.empty()) {
    return invalid_input("--continue needs a file of records")
        .with("usage", "--continue --record FILE");
  }
  return report;
}

Result<std::vector<ReplayItem>> recorded_points(const Arguments& arguments,
                                                const std::string& path) {
  OPBENCH_TRY(const bool continues, arguments.is_on("--continue"));
  std::error_code ignored;
  if (!continues || !std::filesystem::exists(path, ignored)) return std::vector<ReplayItem>();
  OPBENCH_CHECK(mend_last_line(path));
  OPBENCH_TRY(const std::string text, read_text_file(path));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return std::vector<ReplayItem>();
  Result<std::vector<ReplayItem>> items = plan_replay(text);
  if (!items) return Error(items.error()).with("in", path);
  return items;
}

std::string sweep_report_of(const SweepResult& result, const SweepReport& report,
                            const Terminal& terminal) {
  constexpr int kIndent = 2;
  const std::string& format = report.plan.format;
  if (format == "json") return json_text(sweep_json(result), kIndent) + "\n";
  if (format == "csv") return sweep_csv(result);
  const std::string chart = report.has_chart ? terminal_chart(sweep_chart(result), terminal) : "";
  if (format == "md") {
    return sweep_markdown(result) + (chart.empty() ? "" : "\n```\n" + chart + "```\n");
  }
  const bool is_file = !report.plan.output.empty();
  const std::string text = is_file ? sweep_text(result, 0, {})
                                   : sweep_text(result, terminal.width, {terminal.has_colour});
  return chart.empty() ? text : text + "\n" + chart;
}

Result<void> write_sweep(const SweepResult& result, const SweepReport& report, Terminal& terminal) {
  const std::string text = sweep_report_of(result, report, terminal);
  if (report.plan.output.empty()) {
    terminal.out << text << std::flush;
  } else {
    OPBENCH_CHECK(write_output(report.plan.output, text));
  }
  if (report.svg.empty()) return {};
  return write_output(report.svg, sweep_svg(result));
}

/// The same command; what is on record need not be measured again.
Fact after_interruption_of_sweep(const Invocation& invocation, const SweepReport& report) {
  if (report.plan.record.empty()) return {"start over", shell_text(invocation.argv)};
  std::vector<std::string> words = invocation.argv;
  const bool continues = std::ranges::find(words, "--continue") != words.end();
  if (!continues) words.emplace_back("--continue");
  return {"resume", shell_text(words)};
}

Result<void> sweep_verdict_of(const SweepResult& result) {
  const std::string summary = sweep_summary(result);
  if (summary.empty()) return {};
  return Error{ErrorCode::kPartial, summary};
}

Result<void> measure_and_report(SweepRequest request, const SweepReport& report,
                                const Invocation& invocation, Terminal& terminal) {
  const Interruption interruption;
  ProgressLine progress(terminal);
  Result<void> kept;
  request.cancel = &interruption.flag();
  // How many points are left is known once those on record are found.
  std::optional<WaitNotice> waits;
  if (request.recorded.empty()) {
    waits.emplace(sweep_waits("sweep", request.plan, request.plan.size(), progress));
  }
  request.progress = [&](const Progress& state) {
    waits ? waits->show(state) : progress.show(state);
  };
  request.keep = [&](const std::vector<BenchmarkRecord>& records) {
    kept = keep_records(records, report.plan.record, terminal);
    return kept.has_value();
  };
  request.find_plan = [&](ProfileRequest& point) { return find_plan(point, terminal); };
  const SweepResult result = run_sweep(request);
  progress.clear();
  if (waits) waits->keep();
  interruption.end();
  OPBENCH_CHECK(write_sweep(result, report, terminal));
  OPBENCH_CHECK(kept);
  if (interruption.flag()) {
    const Fact next = after_interruption_of_sweep(invocation, report);
    return Error{ErrorCode::kInterrupted, "interrupted; what was measured until then is reported"}
        .with(next.label, next.text);
  }
  return sweep_verdict_of(result);
}

Result<void> sweep_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const SweepSetup setup, sweep_setup_of(invocation));
  OPBENCH_TRY(const SweepReport report, sweep_report(arguments, terminal));
  ProfileRequest base = setup.base;
  show_download(base, terminal);
  OPBENCH_TRY(SweepPlan plan, SweepPlan::make(std::move(base), setup.keys));
  SweepRequest request{.plan = std::move(plan), .argv = invocation.argv};
  OPBENCH_TRY(request.recorded, recorded_points(arguments, report.plan.record));
  return measure_and_report(std::move(request), report, invocation, terminal);
}

}  // namespace

CommandDef sweep_command() {
  CommandDef command{
      .name = "sweep",
      .summary = "Time a model or an operator over threads, batch sizes, extents, engines",
      .positionals = {{.name = "MODEL|WORKLOAD",
                       .help = "as `profile` takes it; or operators as `op` takes them, in quotes",
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = sweep_options(),
      .examples =
          {{"opbench sweep 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1' --over threads=1,2 --over "
            "batch=1,8,32",
            "six points: a table and, on a terminal, a chart"},
           {"opbench sweep resnet-18 --over engine=halide,onnxruntime --over batch=1..8*2 --svg "
            "batch.svg",
            "two engines side by side at batch sizes 1, 2, 4, 8"},
           {"opbench sweep 'dense 1x512 w:1000x512 transB=1' --over input.1=64..4096*4 --format "
            "csv",
            "the summed extent of a product; the weights follow"},
           {"opbench sweep 'dense 1x512 w:1000x512 transB=1' --over knob.vectors=1..8",
            "a knob of the schedule; `opbench list schedules` names these"},
           {"opbench sweep bert --over sequence=16,32,64,128", "lengths of the text"},
           {"opbench sweep resnet-18 --over data.2=112,224 --record runs.jsonl --continue",
            "the height of the input; goes on where it was interrupted"}},
      .notes =
          "Keys of a model: engine, threads, target, fusion, executor, parallel, batch, the name\n"
          "of a free dimension, and INPUT.D, dimension D of an input, from 0.\n"
          "Keys of a workload: engine, threads, target, fusion, cache; schedule and knob.NAME of\n"
          "its kernel; and its extents: batch; input.D, or\n"
          "input0.D and input1.D with several operands of data; weight.D likewise; N, C, H, W\n"
          "(also channels, height, width) of a first operand with four dimensions; K (also\n"
          "filters), the channels or columns that the first step makes. What has to follow\n"
          "does: filters and per-channel operands the channels (a depthwise convolution stays\n"
          "one), the weights of a product the summed extent, operands of later steps the result\n"
          "before them. Attributes stay. A point whose operands do not fit is a row with the\n"
          "reason; the program then ends with 5.\n"
          "Keys of both: settings of the machine, set for each point and put back; opbench env\n"
          "--settings shows them, their ranges, and what this machine lets be set.\n"
          "Values: 1,2,8 or ranges: 1..8, 1..8+2 by steps, 1..32*2 by factors. The last key\n"
          "varies fastest; lists in --engine and --threads are keys before the others. --budget\n"
          "is for each engine and point.\n"
          "Times are of the operator alone, of a model end to end. A speed-up is over the first\n"
          "value of the last key, an item of the batch.",
      .help_rank = 4,
      .run = sweep_run};
  for (const auto& more : {model_options(), measuring_options(), output_options()}) {
    command.options.insert(command.options.end(), more.begin(), more.end());
  }
  return command;
}

}  // namespace opbench
