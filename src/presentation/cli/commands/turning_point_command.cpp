#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

#include "base/errors/suggestion.h"
#include "base/json/json_text.h"
#include "base/numbers/number.h"
#include "experiments/analysis/read_sweep.h"
#include "experiments/analysis/triad_sweep.h"
#include "experiments/analysis/turning_report.h"
#include "experiments/sessions/session.h"
#include "experiments/sweep/sweep_key.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"
#include "presentation/cli/analysis/analysis_output.h"
#include "presentation/cli/analysis/probed_sweep.h"
#include "presentation/cli/analysis/sweep_setup.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/records/kept_records.h"
#include "presentation/cli/waits/sweep_waits.h"
#include "presentation/report/analysis/turning_chart.h"
#include "presentation/report/analysis/turning_json.h"
#include "presentation/report/analysis/turning_text.h"

namespace opbench {
namespace {

constexpr const char* kTriad = "triad";
constexpr const char* kBytes = "bytes";

std::string turning_point_subject_of(const Arguments& arguments) {
  return join(arguments.positionals(), " ");
}

/// What belongs to the analysis and not to the measuring.
std::vector<OptionDef> turning_options() {
  return {
      {.name = "--over",
       .value_name = "KEY=V,V…",
       .help =
           "the axis and its values, as `sweep` takes them; further ones make a series for each "
           "of their values. With --from, KEY alone takes all values of the file",
       .kind = OptionKind::kRepeated,
       .is_settable = false},
      {.name = "--from",
       .value_name = "FILE",
       .help = "read the times: text in columns, CSV, the JSON of `sweep`, benchmark records",
       .is_settable = false,
       .file = FileUse::kRead},
      {.name = "--time",
       .value_name = "COLUMN",
       .help = "the column of times, where its name does not tell; with --from",
       .is_settable = false},
      {.name = "--probes",
       .value_name = "N",
       .help = "look at so many values at most; 0: at all",
       .otherwise = "0"},
      {.name = "--tolerance",
       .value_name = "PERCENT",
       .help = "how far from the least time is enough",
       .otherwise = "5%"},
      {.name = "--measure",
       .value_name = "WHAT",
       .help = "time, per-item: the time divided by the value of the axis, or auto: per item for "
               "batch, bytes, items, size",
       .otherwise = "auto"},
  };
}

Result<TurningRequest> turning_request(const Arguments& arguments) {
  TurningRequest request;
  OPBENCH_TRY(request.options.tolerance, arguments.percent("--tolerance"));
  OPBENCH_TRY(const int64_t probes, arguments.integer("--probes", 0, SweepPlan::kMostPoints));
  request.probes = static_cast<size_t>(probes);
  constexpr size_t kLeastProbes = 3;
  if (probes > 0 && request.probes < kLeastProbes) {
    return invalid_input(fmt::format("--probes {} are too few for a turning point", probes))
        .with("valid", "0 for all values, or at least 3");
  }
  OPBENCH_TRY(const std::string measure,
              arguments.choice("--measure", {"auto", "time", "per-item"}));
  if (measure == "time") request.measure = TurningMeasure::kTime;
  if (measure == "per-item") request.measure = TurningMeasure::kPerItem;
  return request;
}

/// Options that say how to measure say nothing about times that a file has.
Result<void> refuse_measuring(const Arguments& arguments, const std::string& with,
                              const std::string& reason) {
  for (const auto& options : {measuring_options(), model_options()}) {
    for (const OptionDef& option : options) {
      if (!arguments.is_typed(option.name)) continue;
      return invalid_input(option.name + " does not go with " + with).with("reason", reason);
    }
  }
  return {};
}

/// The axis of a file, and the values that count.
Result<void> set_axis(const Arguments& arguments, TurningRequest& request) {
  const std::vector<std::string> over = arguments.values("--over");
  if (over.size() > 1) {
    return invalid_input("--over names more than one axis")
        .with("valid", "one; the other columns of the file that vary make series");
  }
  if (over.empty()) return {};
  if (over.front().find('=') == std::string::npos) {
    request.axis = over.front();
    return {};
  }
  OPBENCH_TRY(const SweepKey key, parse_over(over.front()));
  request.axis = key.name;
  request.values = key.values;
  return {};
}

/// The subject's name as a file has it.
std::string canonical_subject(const std::string& text) {
  if (!is_workload(text)) return text;
  const Result<Workload> workload = parse_workload(text);
  return workload ? text_of(*workload) : text;
}

Result<TurningReport> read_report(const Arguments& arguments, TurningRequest request) {
  OPBENCH_CHECK(refuse_measuring(arguments, "--from", "it reads times that were measured"));
  if (arguments.is_typed("--record")) {
    return invalid_input("--record does not go with --from").with("reason", "nothing is measured");
  }
  OPBENCH_CHECK(set_axis(arguments, request));
  OPBENCH_TRY(SweptTimes times,
              read_swept_times(arguments.value("--from"), arguments.value("--time")));
  const std::string subject = canonical_subject(turning_point_subject_of(arguments));
  if (!subject.empty() && !times.subject.empty() && subject != times.subject) {
    return invalid_input(fmt::format("the times are not of \"{}\"", subject))
        .with("of", times.subject)
        .with("in", times.source);
  }
  if (!subject.empty()) times.subject = subject;
  return turning_report(times, request);
}

Result<std::vector<int64_t>> working_sets_of(const Arguments& arguments,
                                             const std::vector<CacheSize>& caches) {
  const std::vector<std::string> over = arguments.values("--over");
  if (over.empty()) return triad_working_sets(caches);
  OPBENCH_TRY(const SweepKey key, parse_over(over.front()));
  if (over.size() > 1 || key.name != kBytes || !key.is_numeric) {
    return invalid_input("a triad is over bytes, not \"" + over.back() + "\"")
        .with("such as", "--over bytes=8192..134217728*2");
  }
  std::vector<int64_t> sets;
  constexpr int64_t kMost = int64_t{4} << 30;
  for (const std::string& value : key.values) {
    sets.push_back(std::stoll(value));
    if (sets.back() < 768 || sets.back() > kMost) {
      return invalid_input(fmt::format("--over bytes takes 768 to {}, not \"{}\"", kMost, value));
    }
  }
  return sets;
}

Result<TurningReport> triad_report(const Invocation& invocation, TurningRequest request,
                                   Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(
      refuse_measuring(arguments, "triad", "it is measured in its own way, with one thread"));
  if (request.probes > 0 || arguments.is_typed("--record")) {
    return invalid_input(request.probes > 0 ? "--probes does not go with triad"
                                            : "--record does not go with triad");
  }
  OPBENCH_TRY(const Topology topology, this_topology());
  OPBENCH_TRY(const std::vector<int> cpus, choose_cpus(topology, 1, current_affinity()));
  const std::vector<CacheSize> caches = caches_of(topology, cpus.front());
  OPBENCH_TRY(const std::vector<int64_t> sets, working_sets_of(arguments, caches));
  const Interruption interruption;
  ProgressLine progress(terminal);
  const auto show = [&](size_t done, size_t total) {
    progress.show({.stage = "measure",
                   .item = kTriad,
                   .done = static_cast<int64_t>(done),
                   .total = static_cast<int64_t>(total)});
  };
  OPBENCH_TRY(const SweptTimes times, measure_triad_sweep(cpus.front(), sets, show, [&] {
                return interruption.flag().load();
              }));
  progress.clear();
  request.axis = kBytes;
  OPBENCH_TRY(TurningReport report, turning_report(times, request));
  report.caches = caches;
  report.notes.push_back(fmt::format("one thread on CPU {}", cpus.front()));
  return report;
}

/// How many of these thread counts this machine has CPUs for, and why not all; all of other axes.
struct RunnableValues {
  size_t count = 0;
  std::optional<Error> refusal;  ///< of the first that has none
};

Result<RunnableValues> runnable_values(const SweepKey& axis, const ProfileRequest& base) {
  RunnableValues runnable;
  if (axis.name != "threads") return RunnableValues{.count = axis.values.size(), .refusal = {}};
  OPBENCH_TRY(const Topology topology, this_topology());
  for (const std::string& value : axis.values) {
    const auto threads = static_cast<int>(parse_integer(value).value_or(0));
    const auto cpus = cpus_of(topology, base.settings, threads);
    runnable.count += cpus ? 1 : 0;
    if (!cpus && !runnable.refusal) runnable.refusal = cpus.error();
  }
  return runnable;
}

/// What cannot have a turning point is not measured.
Result<void> check_axis_values(const SweepKey& axis, const ProfileRequest& base) {
  if (!axis.is_numeric) {
    return invalid_input(fmt::format("\"{}\" has words for values, such as \"{}\"", axis.name,
                                     axis.values.front()))
        .with("needed", "an axis of numbers, as a turning point lies between two of them");
  }
  constexpr size_t kLeast = 3;
  if (axis.values.size() < kLeast) {
    return invalid_input(fmt::format("--over {} has {} of the {} values that a turning point needs",
                                     axis.name, axis.values.size(), kLeast));
  }
  OPBENCH_TRY(const RunnableValues runnable, runnable_values(axis, base));
  if (runnable.count >= kLeast) return {};
  return invalid_input(fmt::format("{} of the {} values of --over {} can be measured here, "
                                   "a turning point needs {}",
                                   runnable.count, axis.values.size(), axis.name, kLeast))
      .with("the others", runnable.refusal->message);
}

/// What there is to say, and which points failed.
struct Answer {
  TurningReport report;
  std::string failures;
};

Result<Answer> measured_report(const Invocation& invocation, TurningRequest request,
                               Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.has("--time")) return invalid_input("--time names a column of --from FILE");
  if (arguments.values("--over").empty()) {
    return invalid_input("nothing to look for a turning point over")
        .with("such as", "--over threads=1..8, or --from FILE");
  }
  OPBENCH_TRY(const SweepSetup setup, sweep_setup_of(invocation));
  if (request.probes > 0 && setup.keys.size() > 1)
    return invalid_input("--probes takes one --over");
  OPBENCH_CHECK(check_axis_values(setup.keys.front(), setup.base));
  const std::string record = arguments.value("--record");
  if (!record.empty()) OPBENCH_CHECK(check_writable(record, "--record"));
  const Interruption interruption;
  ProgressLine progress(terminal);
  OPBENCH_TRY(const SweepPlan plan, SweepPlan::make(setup.base, setup.keys));
  const size_t points = request.probes > 0 ? request.probes : plan.size();
  WaitNotice waits = sweep_waits("turning-point", plan, points, progress);
  Result<void> kept;
  const SweepWatch watch{.keep =
                             [&](const std::vector<BenchmarkRecord>& records) {
                               kept = keep_records(records, record, terminal);
                               return kept.has_value();
                             },
                         .progress = [&](const Progress& state) { waits.show(state); },
                         .cancel = &interruption.flag()};
  Result<MeasuredSweep> sweep =
      measure_sweep(setup, request.probes, request.options.tolerance, invocation.argv, watch);
  progress.clear();
  waits.keep();
  OPBENCH_CHECK(kept);
  if (!sweep) return sweep.error();
  request.axis = setup.keys.front().name;
  request.probes = 0;
  Answer answer{.report = {}, .failures = sweep->summary};
  OPBENCH_TRY(answer.report, turning_report(sweep->times, request));
  if (!sweep->probe_order.empty()) answer.report.series.front().probe_order = sweep->probe_order;
  return answer;
}

Result<Answer> answer_of(const Invocation& invocation, const TurningRequest& request,
                         Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  Answer answer;
  if (arguments.has("--from")) {
    OPBENCH_TRY(answer.report, read_report(arguments, request));
    return answer;
  }
  const std::string subject = turning_point_subject_of(arguments);
  if (subject.empty()) {
    return invalid_input("no model, no workload and no file of times")
        .with("such as", "opbench turning-point bert --over threads=1..8, or --from FILE");
  }
  if (subject == kTriad) {
    OPBENCH_TRY(answer.report, triad_report(invocation, request, terminal));
    return answer;
  }
  return measured_report(invocation, request, terminal);
}

Result<void> run_turning_point(const Invocation& invocation, Terminal& terminal) {
  OPBENCH_TRY(const TurningRequest request, turning_request(invocation.arguments));
  OPBENCH_TRY(const AnalysisOutput output, analysis_output(invocation.arguments, terminal));
  OPBENCH_TRY(const Answer answer, answer_of(invocation, request, terminal));
  const TurningReport& report = answer.report;
  std::string text;
  constexpr int kIndent = 2;
  if (output.format == "json") text = json_text(turning_json(report), kIndent) + "\n";
  if (output.format == "csv") text = turning_csv(report);
  if (output.format == "md") text = turning_markdown(report);
  if (output.format == "table") {
    const bool is_file = !output.output.empty();
    text = turning_text(report, is_file ? 0 : terminal.width,
                        {.has_colour = !is_file && terminal.has_colour});
  }
  OPBENCH_CHECK(write_analysis(text, turning_chart(report), output, terminal));
  if (answer.failures.empty()) return {};
  return Error{ErrorCode::kPartial, answer.failures};
}

}  // namespace

CommandDef turning_point_command() {
  CommandDef command{
      .name = "turning-point",
      .summary = "Find the least threads, batch or tile that is as good as the most, and the knee",
      .positionals = {{.name = "MODEL|WORKLOAD",
                       .help = "what to measure, as `sweep` takes it; triad: the caches of this "
                               "machine; not needed with --from",
                       .is_required = false,
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = turning_options(),
      .examples = {{"opbench turning-point bert --over threads=1..8",
                    "measures, then says how many threads are enough"},
                   {"opbench turning-point --from sweep.json --over threads",
                    "the same from times that were measured before"},
                   {"opbench turning-point resnet-18 --over threads=1..64 --probes 8",
                    "measures 8 of the 64"},
                   {"opbench turning-point triad", "where this machine's caches end"}},
      .notes =
          "n_best is the value with the least time, n95 the first within the tolerance of it. A\n"
          "knee is the break between two lines in log-log. It is reported where two lines beat\n"
          "one by 10 in BIC and noise alone would seldom do so; else the answer is none, with\n"
          "the reason. A file with several columns that vary is a grid: the answer is what each\n"
          "axis does, and a turning point for each that does something.",
      .help_rank = 4,
      .run = run_turning_point};
  for (const auto& more :
       {chart_options(), model_options(), measuring_options(), output_options()}) {
    command.options.insert(command.options.end(), more.begin(), more.end());
  }
  return command;
}

}  // namespace opbench
