#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string_view>

#include "base/errors/suggestion.h"
#include "base/files/file.h"
#include "base/json/json_text.h"
#include "experiments/sweep/sweep_request.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/kept_records.h"
#include "presentation/cli/model_argument.h"
#include "presentation/cli/output_file.h"
#include "presentation/cli/profile_options.h"
#include "presentation/cli/profile_run.h"
#include "presentation/cli/progress_line.h"
#include "presentation/report/chart_text.h"
#include "presentation/report/sweep_chart.h"
#include "presentation/report/sweep_json.h"
#include "presentation/report/sweep_table.h"
#include "records/record/cut_record.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

Error invalid(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

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
    return invalid("--chart does not go with --format " + report.plan.format)
        .with("valid", "--format table or md; --svg FILE draws beside any format");
  }
  const bool is_shown = report.plan.format == "table" && report.plan.output.empty();
  report.has_chart = wants_chart || (is_shown && terminal.is_out_tty);
  report.svg = arguments.value("--svg");
  if (!report.svg.empty()) OPBENCH_CHECK(check_writable(report.svg, "--svg"));
  OPBENCH_TRY(const bool continues, arguments.is_on("--continue"));
  if (continues && report.plan.record.empty()) {
    return invalid("--continue needs a file of records").with("usage", "--continue --record FILE");
  }
  return report;
}

Result<void> refuse_model_options(const Invocation& invocation) {
  for (const OptionDef& option : model_options()) {
    const bool is_set = invocation.settings.defaults.contains(option.name.substr(2));
    if (!invocation.arguments.has(option.name) || is_set) continue;
    return invalid(option.name + " is for models")
        .with("valid", "--over batch=…, --over input.1=…; see opbench sweep --help");
  }
  return {};
}

/// A time end to end does not depend on it.
Result<void> refuse_cold_model(const Invocation& invocation, ProfileRequest& request) {
  if (request.cache == CacheMode::kHot) return {};
  if (!invocation.settings.defaults.contains("cache")) {
    return invalid("--cache " + name_of(request.cache) + " is for a workload")
        .with("reason", "inside a model a kernel finds what the one before it left in the caches");
  }
  request.cache = CacheMode::kHot;
  return {};
}

Result<void> set_subject(const Invocation& invocation, ProfileRequest& request) {
  const std::string text = join(invocation.arguments.positionals(), " ");
  if (!is_workload(text)) {
    OPBENCH_CHECK(refuse_cold_model(invocation, request));
    OPBENCH_TRY(const ModelArgument model, resolve_model(text));
    request.model = model.name;
    request.model_is_zoo = model.is_zoo;
    return {};
  }
  OPBENCH_CHECK(refuse_model_options(invocation));
  const Result<Workload> workload = parse_workload(text);
  if (!workload) return Error(workload.error()).with("help", "opbench sweep --help");
  request.workload = text_of(*workload);
  request.shapes.clear();
  request.dimensions.clear();
  request.inputs.clear();
  request.batch_size = 0;
  return {};
}

/// A value that is given for all points, and a key that gives each point its own.
Result<void> refuse_fixed_keys(const Arguments& arguments, const std::vector<SweepKey>& keys) {
  for (const SweepKey& key : keys) {
    const bool is_batch = key.name == "batch" || key.name.ends_with(".0");
    const std::string option = is_batch ? "--batch-size" : "--" + key.name;
    if (!arguments.is_typed(option)) continue;
    return invalid(option + " " + join(arguments.values(option), ",") + " and --over " + key.name +
                   " set the same")
        .with("valid", "one of them");
  }
  return {};
}

/// The command that measures one point, but for what the plan adds: options that are lists, that
/// points set or that are about the report are left out.
std::vector<std::string> point_command(const std::vector<std::string>& argv, bool is_op) {
  constexpr std::array kLeftOut = {"--over",   "--engine", "--threads",  "-t",
                                   "--cache",  "--shape",  "--dim",      "--batch-size",
                                   "-b",       "--output", "-o",         "--format",
                                   "--record", "--svg",    "--continue", "--chart"};
  constexpr std::array kSwitches = {"--continue", "--chart", "--quiet", "-q"};
  const auto is_one_of = [](const auto& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
  };
  std::vector<std::string> words = {argv.front(), is_op ? "op" : "profile"};
  for (size_t i = 2; i < argv.size(); ++i) {
    const std::string name = argv[i].substr(0, argv[i].find('='));
    const bool has_value = name == argv[i] && !is_one_of(kSwitches, name) && i + 1 < argv.size();
    if (!name.starts_with("-")) {
      if (!is_op) words.push_back(argv[i]);
      continue;
    }
    const bool is_kept = !is_one_of(kLeftOut, name);
    if (is_kept) words.push_back(argv[i]);
    if (!has_value) continue;
    ++i;
    if (is_kept) words.push_back(argv[i]);
  }
  return words;
}

Result<std::vector<ReplayItem>> recorded_points(const Arguments& arguments,
                                                const std::string& path) {
  OPBENCH_TRY(const bool continues, arguments.is_on("--continue"));
  std::error_code ignored;
  if (!continues || !std::filesystem::exists(path, ignored)) return std::vector<ReplayItem>();
  OPBENCH_CHECK(mend_last_line(path));
  OPBENCH_TRY(const std::string text, read_file(path));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return std::vector<ReplayItem>();
  Result<std::vector<ReplayItem>> items = plan_replay(text);
  if (!items) return Error(items.error()).with("in", path);
  return items;
}

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// As the C library decides: the first of these that is set counts.
bool prints_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = variable(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos ||
           value.find("utf8") != std::string_view::npos;
  }
  return false;
}

std::string chart_of(const SweepResult& result, const Terminal& terminal) {
  constexpr int kWidest = 100;
  ChartTextOptions options;
  options.is_unicode = prints_unicode();
  if (terminal.width > 0) options.width = std::min(terminal.width, kWidest);
  return chart_text(sweep_chart(result), options);
}

std::string report_of(const SweepResult& result, const SweepReport& report,
                      const Terminal& terminal) {
  constexpr int kIndent = 2;
  const std::string& format = report.plan.format;
  if (format == "json") return json_text(sweep_json(result), kIndent) + "\n";
  if (format == "csv") return sweep_csv(result);
  const std::string chart = report.has_chart ? chart_of(result, terminal) : "";
  if (format == "md") {
    return sweep_markdown(result) + (chart.empty() ? "" : "\n```\n" + chart + "```\n");
  }
  const bool is_file = !report.plan.output.empty();
  const std::string text = is_file ? sweep_text(result, 0, {})
                                   : sweep_text(result, terminal.width, {terminal.has_colour});
  return chart.empty() ? text : text + "\n" + chart;
}

Result<void> write_sweep(const SweepResult& result, const SweepReport& report, Terminal& terminal) {
  const std::string text = report_of(result, report, terminal);
  if (report.plan.output.empty()) {
    terminal.out << text << std::flush;
  } else {
    OPBENCH_CHECK(write_output(report.plan.output, text));
  }
  if (report.svg.empty()) return {};
  return write_output(report.svg, sweep_svg(result));
}

/// The same command; what is on record need not be measured again.
std::string resume_command(const Invocation& invocation, const SweepReport& report) {
  std::vector<std::string> words = invocation.argv;
  const bool continues = std::ranges::find(words, "--continue") != words.end();
  if (!report.plan.record.empty() && !continues) words.emplace_back("--continue");
  return shell_text(words);
}

Result<void> verdict_of(const SweepResult& result) {
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
  request.progress = [&](const Progress& state) { progress.show(state); };
  request.keep = [&](const std::vector<BenchmarkRecord>& records) {
    kept = keep_records(records, report.plan.record, terminal);
    return kept.has_value();
  };
  const SweepResult result = run_sweep(request);
  progress.clear();
  interruption.end();
  OPBENCH_CHECK(write_sweep(result, report, terminal));
  OPBENCH_CHECK(kept);
  if (interruption.flag()) {
    return Error{ErrorCode::kInterrupted, "interrupted; what was measured until then is reported"}
        .with("resume", resume_command(invocation, report));
  }
  return verdict_of(result);
}

Result<void> run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(ProfileRequest base, request_of(invocation));
  OPBENCH_TRY(const SweepReport report, sweep_report(arguments, terminal));
  std::vector<SweepKey> keys;
  for (const std::string& text : arguments.values("--over")) {
    OPBENCH_TRY(SweepKey key, parse_over(text));
    keys.push_back(std::move(key));
  }
  OPBENCH_CHECK(set_subject(invocation, base));
  OPBENCH_CHECK(refuse_fixed_keys(arguments, keys));
  base.argv = point_command(invocation.argv, !base.workload.empty());
  OPBENCH_TRY(SweepPlan plan, SweepPlan::make(std::move(base), std::move(keys)));
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
           {"opbench sweep bert --over sequence=16,32,64,128", "lengths of the text"},
           {"opbench sweep resnet-18 --over data.2=112,224 --record runs.jsonl --continue",
            "the height of the input; goes on where it was interrupted"}},
      .notes =
          "Keys of a model: engine, threads, batch, the name of a free dimension, and INPUT.D,\n"
          "dimension D of an input, from 0.\n"
          "Keys of a workload: engine, threads, cache, and its extents: batch; input.D, or\n"
          "input0.D and input1.D with several operands of data; weight.D likewise; N, C, H, W\n"
          "(also channels, height, width) of a first operand with four dimensions; K (also\n"
          "filters), the channels or columns that the first step makes. What has to follow\n"
          "does: filters and per-channel operands the channels (a depthwise convolution stays\n"
          "one), the weights of a product the summed extent, operands of later steps the result\n"
          "before them. Attributes stay. A point whose operands do not fit is a row with the\n"
          "reason; the program then ends with 5.\n"
          "Values: 1,2,8 or ranges: 1..8, 1..8+2 by steps, 1..32*2 by factors. The last key\n"
          "varies fastest; lists in --engine and --threads are keys before the others. --budget\n"
          "is for each engine and point.\n"
          "Times are of the operator alone, of a model end to end. A speed-up is over the first\n"
          "value of the last key, an item of the batch.",
      .help_rank = 4,
      .run = run};
  for (const auto& more : {model_options(), measuring_options(), output_options()}) {
    command.options.insert(command.options.end(), more.begin(), more.end());
  }
  return command;
}

}  // namespace opbench
