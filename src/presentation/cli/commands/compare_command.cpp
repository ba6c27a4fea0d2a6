#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <ostream>

#include "base/files/file.h"
#include "base/json/json_text.h"
#include "experiments/compare/revision_build.h"
#include "experiments/why/compared_why.h"
#include "presentation/cli/command.h"
#include "presentation/cli/compare/compare_options.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/options/plan_option.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/profile/profile_run.h"
#include "presentation/cli/records/kept_records.h"
#include "presentation/cli/waits/wait_notice.h"
#include "presentation/report/compare/compare_json.h"
#include "presentation/report/compare/compare_table.h"
#include "presentation/report/why/why_text.h"
#include "records/record/compare_records.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

/// Units that --why shows; JSON has all.
constexpr size_t kShownReasons = 5;

/// `why`: nothing where --why was not given.
std::string text_of(const CompareResult& result, const std::optional<WhyReport>& why,
                    const ReportPlan& plan, const Terminal& terminal) {
  constexpr int kIndent = 2;
  if (plan.format == "json") {
    Json json = compare_json(result);
    if (why) json["why"] = why_json(*why);
    return json_text(json, kIndent) + "\n";
  }
  if (plan.format == "csv") return compare_csv(result);
  if (plan.format == "md") {
    return compare_markdown(result) + (why ? why_markdown(*why, kShownReasons) : "");
  }
  const TextStyle style{plan.output.empty() && terminal.has_colour};
  const int width = plan.output.empty() ? terminal.width : 0;
  return compare_table(result, width, style) + (why ? why_text(*why, kShownReasons, style) : "");
}

/// What the verdicts mean for the exit code.
struct Tally {
  bool is_model_slower = false;
  size_t units = 0, slower = 0;
  size_t open = 0, judged = 0;  ///< units and models: inconclusive; with a verdict at all
  std::vector<Fact> failures;
};

void count(const CompareUnit& unit, Tally& tally) {
  tally.judged += unit.verdict ? 1 : 0;
  tally.open += unit.verdict == Verdict::kInconclusive ? 1 : 0;
  if (unit.has_failed) tally.failures.push_back({unit.identity.operator_text, unit.reason});
}

Tally tally_of(const CompareResult& result) {
  Tally tally;
  for (const ComparedVariant& side : result.sides) {
    const bool is_unusable =
        is_refused(side.engine, side.check) || is_missing(side.engine, side.check);
    if (is_unusable) tally.failures.push_back({side.label, side.check.reason});
  }
  for (const Comparison& pair : result.comparisons) {
    tally.is_model_slower |= pair.model.verdict == Verdict::kSlower;
    count(pair.model, tally);
    for (const CompareUnit& unit : pair.units) {
      ++tally.units;
      tally.slower += unit.verdict == Verdict::kSlower ? 1 : 0;
      count(unit, tally);
    }
  }
  return tally;
}

std::string slower_text(const Tally& tally) {
  const std::string units = fmt::format("{} of {} units", tally.slower, tally.units);
  if (tally.slower == 0) return "the model is slower than the base";
  if (!tally.is_model_slower) return units + " slower than the base";
  return "the model is slower than the base, as are " + units;
}

Result<void> judged(const CompareResult& result, const Arguments& arguments) {
  const Tally tally = tally_of(result);
  OPBENCH_TRY(const bool is_strict, arguments.is_on("--strict"));
  if (!tally.failures.empty()) {
    return Error{ErrorCode::kPartial, "not everything could be compared", tally.failures};
  }
  const bool has_one_new = result.sides.size() == 2;
  if (has_one_new && (tally.is_model_slower || tally.slower > 0)) {
    return Error{ErrorCode::kNotReproduced, slower_text(tally)};
  }
  if (is_strict && tally.judged == 0) {
    return Error{ErrorCode::kInconclusive, "nothing got a verdict"}.with(
        "see", "the reason beside each row of the report");
  }
  if (is_strict && tally.open > 0) {
    return Error{ErrorCode::kInconclusive, fmt::format("{} inconclusive", tally.open)}.with(
        "try", "a larger --budget, a larger --margin, or a quieter machine");
  }
  return {};
}

Result<void> write_compare_records(const CompareResult& result, const ReportPlan& plan,
                                   Terminal& terminal) {
  OPBENCH_TRY(const std::vector<BenchmarkRecord> records, records_of(result));
  return keep_records(records, plan.record, terminal);
}

/// Builds the git revisions that --base and --new name; paths stay.
Result<void> find_builds(CompareRequest& request, Terminal& terminal) {
  for (VariantRequest& side : request.sides) {
    if (side.build.empty()) continue;
    OPBENCH_TRY(const BuildChoice choice, choose_build(side.build.string(), "."));
    if (!choice.note.empty() && !terminal.is_quiet) terminal.err << "note: " << choice.note << "\n";
    if (choice.commit.empty()) continue;
    constexpr size_t kDigits = 12;
    side.commit = choice.commit.substr(0, kDigits);
    side.build_name = choice.revision;
    const RevisionOptions options{
        .folder = cache_folder() / "builds",
        .progress =
            [&](const std::string& step, double seconds) {
              const std::string what = fmt::format("{} ({})", choice.revision, side.commit);
              request.hooks.progress({.stage = "build",
                                      .engine = what,
                                      .item = fmt::format("{}, {:.0f} s", step, seconds)});
            },
        .cancel = request.hooks.cancel};
    OPBENCH_TRY(side.build, build_revision(choice, options));
  }
  return {};
}

/// Each variant beside the base has the budget.
WaitNotice compare_waits(const CompareRequest& request, ProgressLine& progress) {
  std::vector<ProfileRequest> sides;
  for (const VariantRequest& side : request.sides) sides.push_back(profile_of(side));
  const auto pairs = static_cast<double>(sides.size() - 1);
  return {progress, estimate_preparation("compare", sides, compared_processes(request.budget_s)),
          pairs * request.budget_s};
}

/// --why, which CSV has no place for and other builds do not answer.
Result<bool> why_of(const Arguments& arguments, const ReportPlan& plan,
                    const CompareRequest& request) {
  OPBENCH_TRY(const bool wants_why, arguments.is_on("--why"));
  if (!wants_why) return false;
  if (plan.format == "csv") {
    return Error{ErrorCode::kInvalidInput, "--why does not go with --format csv"}.with(
        "valid", "table, json, md");
  }
  const bool has_own = std::ranges::any_of(
      request.sides, [](const VariantRequest& side) { return side.build.empty(); });
  if (has_own) return true;
  return Error{ErrorCode::kInvalidInput, "--why explains variants of this build, and none is"}.with(
      "try", "opbench profile MODEL --findings with the other build");
}

Result<void> run_in_compare_command(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(CompareRequest request, compare_request_of(invocation));
  OPBENCH_TRY(const ReportPlan plan, report_plan(arguments));
  for (VariantRequest& side : request.sides) {
    ProfileRequest planned = profile_of(side);
    OPBENCH_CHECK(find_plan(planned, terminal));
    side.variant.settings = std::move(planned.settings);
  }
  OPBENCH_TRY(const bool wants_why, why_of(arguments, plan, request));
  ComparedWhy reasons;
  if (wants_why) {
    request.prepared = [&](Session& session, const std::vector<size_t>& sides) {
      return reasons.look(session, sides);
    };
  }
  const Interruption interruption;
  ProgressLine progress(terminal);
  request.hooks.cancel = &interruption.flag();
  request.scope.takes_emulated = true;
  WaitNotice waits = compare_waits(request, progress);
  request.hooks.progress = [&](const Progress& state) { waits.show(state); };
  const Result<void> found = find_builds(request, terminal);
  const Result<CompareResult> result =
      found ? run_compare(request) : Result<CompareResult>(found.error());
  progress.clear();
  waits.keep();
  if (!result && result.error().code == ErrorCode::kInterrupted) {
    return Error(result.error()).with("start over", shell_text(request.argv));
  }
  if (!result) return result.error();
  const Result<void> recorded = write_compare_records(*result, plan, terminal);
  interruption.end();
  std::optional<WhyReport> why;
  if (wants_why) why = reasons.report(*result);
  OPBENCH_CHECK(write_text(text_of(*result, why, plan, terminal), arguments, terminal));
  OPBENCH_CHECK(recorded);
  if (interruption.flag()) {
    return Error{ErrorCode::kInterrupted, "interrupted; what was measured until then is reported"}
        .with("start over", shell_text(request.argv));
  }
  return judged(*result, arguments);
}

}  // namespace

CommandDef compare_command() {
  CommandDef command{
      .name = "compare",
      .summary = "Say which of two or more variants is faster: engines, builds, thread counts",
      .positionals =
          {{.name = "MODEL",
            .help =
                "an ONNX file or its URL, a name from `opbench list models`, or a workload; two "
                "models: the base and the new one",
            .repeats = true,
            .file = FileUse::kRead}},
      .options = compare_options(),
      .examples = {{"opbench compare resnet-18 --engine halide,onednn,onnxruntime",
                    "who wins at each unit and for the model"},
                   {"opbench compare resnet-18 --base ../main/opbench --format md",
                    "is this build faster than that one? exit 3 if slower"},
                   {"opbench compare resnet-18 --base main~3",
                    "a git revision of this checkout, built once and kept in the cache"},
                   {"opbench compare resnet-18 --base-threads 1 --new-threads 2",
                    "what a thread brings"},
                   {"opbench compare resnet-18 --new-target 'llvm -mcpu=core-avx2'",
                    "what AVX-512 brings here"},
                   {"opbench compare resnet-18 --engine halide,onednn --why",
                    "where the difference comes from"}},
      .notes =
          "The variants are measured in turn, in processes of their own on the same CPUs; a "
          "verdict\n"
          "comes from the ratios of neighbours. The base takes part twice: how far it differs\n"
          "from itself is the A/A floor. `same` says that the difference is below the margin,\n"
          "`inconclusive` that it cannot be told yet. Builds of git revisions lie in the folder\n"
          "`builds` of the cache, one a commit; remove those that you no longer need.",
      .help_rank = 2,
      .run = run_in_compare_command};
  command.options.push_back(
      {.name = "--why",
       .value_name = "",
       .help = "split the times of units into computing, moving data, uneven tasks and dispatch, "
               "and name causes",
       .kind = OptionKind::kSwitch});
  const std::vector<OptionDef> output = output_options();
  command.options.insert(command.options.end(), output.begin(), output.end());
  return command;
}

}  // namespace opbench
