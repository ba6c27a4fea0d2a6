#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/json/json_text.h"
#include "experiments/regress/bisect_run.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/regress/build_options.h"
#include "presentation/report/regress/bisect_report.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

std::filesystem::path bisect_file(const Arguments& arguments, const BisectRequest& request) {
  const std::string given = arguments.value("--state");
  if (!given.empty()) return given;
  return cache_folder() / "bisect" / (question_of(request).substr(0, 16) + ".json");
}

/// The file is read first, and replaced whole after each step: it cannot be a pipe or a device.
Result<void> check_state_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    return invalid_input(fmt::format("--state takes a file, and \"{}\" is none", path));
  }
  return check_writable(path, "--state");
}

Result<BisectRequest> bisect_request_of(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  BisectRequest request;
  for (const char* end : {"--good", "--bad"}) {
    if (!arguments.value(end).empty()) continue;
    return invalid_input(fmt::format("{} is missing", end))
        .with("for instance", "--good v1.2 --bad HEAD");
  }
  OPBENCH_TRY(const int64_t pairs, arguments.integer("--most-pairs", 40, 100000));
  request.rule.most_pairs = static_cast<int>(pairs);
  OPBENCH_TRY(request.is_anew, arguments.is_on("--anew"));
  OPBENCH_TRY(request.recipe, build_recipe_of(invocation));
  if (request.recipe.checkout.empty()) OPBENCH_CHECK(checkout_of("."));
  OPBENCH_TRY(request.suite, suite_of(invocation, request.recipe));
  OPBENCH_TRY(const std::string good,
              commit_of(request.recipe.checkout, arguments.value("--good")));
  OPBENCH_TRY(const std::string bad, commit_of(request.recipe.checkout, arguments.value("--bad")));
  OPBENCH_TRY(request.commits, commits_from(request.recipe.checkout, good, bad));
  request.only = arguments.value("--only");
  request.file = bisect_file(arguments, request);
  request.hooks.user_engines = invocation.settings.engines;
  return request;
}

Result<std::string> bisect_text_of(const BisectProgress& progress, const std::string& format,
                                   const Arguments& arguments, const Terminal& terminal) {
  constexpr int kIndent = 2;
  if (format == "json") return json_text(bisect_report_json(progress), kIndent) + "\n";
  const TableForm form = table_form(arguments, terminal);
  if (format == "table") return bisect_text(progress, form.width, form.style);
  OPBENCH_TRY(std::string table,
              formatted_text(bisect_table(progress), format, form.width, form.style));
  return format == "md" ? table + "\n" + bisect_summary(progress) : table;
}

Result<void> bisect_verdict(const BisectProgress& progress, bool is_strict) {
  const BisectAnswer answer = answer_of(progress.state);
  if (answer.outcome == BisectOutcome::kNoEffect) {
    return Error{ErrorCode::kNoMatch, "nothing to bisect: the ends do not differ"}.with(
        "measured", change_text(answer.ends));
  }
  if (answer.outcome == BisectOutcome::kFound || !is_strict) return {};
  return Error{ErrorCode::kInconclusive, "no single commit was found"}.with(
      "try", "a quieter machine, a larger --most-pairs");
}

Result<BisectProgress> bisect_with_progress(BisectRequest& request, Terminal& terminal) {
  const Interruption interruption;
  ProgressLine line(terminal);
  request.hooks.cancel = &interruption.flag();
  request.recipe.cancel = &interruption.flag();
  request.hooks.progress = [&](const Progress& state) { line.show(state); };
  request.recipe.progress = [&](const std::string& step, double seconds) {
    line.show({.stage = "build", .item = fmt::format("{}, {:.0f} s", step, seconds)});
  };
  const BisectListener tell = [&](const BisectProgress& progress, const std::string& doing) {
    line.announce(fmt::format("{} pairs so far; {}", answer_of(progress.state).pairs, doing));
  };
  auto progress = run_bisect(request, steps_of(request), tell);
  line.clear();
  return progress;
}

Result<void> run_bisect_command(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format, format_of(arguments));
  OPBENCH_TRY(const bool is_strict, arguments.is_on("--strict"));
  const std::string output = arguments.value("--output");
  if (!output.empty()) OPBENCH_CHECK(check_writable(output, "--output"));
  if (arguments.has("--state")) OPBENCH_CHECK(check_state_file(arguments.value("--state")));
  OPBENCH_TRY(BisectRequest request, bisect_request_of(invocation));
  const auto progress = bisect_with_progress(request, terminal);
  if (!progress && progress.error().code == ErrorCode::kInterrupted) {
    return Error(progress.error()).with("go on", shell_text(invocation.argv));
  }
  if (!progress) return progress.error();
  OPBENCH_TRY(const std::string text, bisect_text_of(*progress, format, arguments, terminal));
  OPBENCH_CHECK(write_text(text, arguments, terminal));
  return bisect_verdict(*progress, is_strict);
}

std::vector<OptionDef> bisect_options() {
  std::vector<OptionDef> options = {
      suite_option(),
      {.name = "--good", .value_name = "REV", .help = "the last commit that is known to be fast"},
      {.name = "--bad", .value_name = "REV", .help = "a later one that is slow"},
      {.name = "--only",
       .value_name = "TEXT",
       .help = "look at rows with this text alone: a model, an engine, a workload"},
      {.name = "--most-pairs",
       .value_name = "N",
       .help = "of a commit; then it stays unknown",
       .otherwise = std::to_string(BisectRule{}.most_pairs)},
      {.name = "--state",
       .value_name = "FILE",
       .help = "where the progress is kept; default: in the cache, by what is asked",
       .is_settable = false,
       .file = FileUse::kWritten},
      {.name = "--anew",
       .help = "forget what an earlier run found",
       .kind = OptionKind::kSwitch,
       .is_settable = false},
      {.name = "--strict",
       .help = "exit 4 unless a single commit was found",
       .kind = OptionKind::kSwitch}};
  for (std::vector<OptionDef> more : {commit_build_options(), table_options()}) {
    for (OptionDef& option : more) options.push_back(std::move(option));
  }
  return options;
}

}  // namespace

CommandDef bisect_command() {
  return {
      .name = "bisect",
      .summary = "Find the commit that made a model or operator slower",
      .options = bisect_options(),
      .examples = {{"opbench bisect --suite nightly.toml --good v1.2 --bad HEAD",
                    "which commit of OpBench's own checkout"},
                   {"opbench bisect --suite nightly.toml --good v1 --bad v2 --repo ~/kernels "
                    "--build 'ninja -C build' --engine mine=build/mine",
                    "the same for an engine of your own"}},
      .notes =
          "Builds of two commits run in turn. The effect of the ends is measured first; then each\n"
          "commit is asked whether it is nearer to the good or to the bad one, until that is "
          "sure.\n"
          "Commits that cannot be built or run are skipped. What is known is kept after each "
          "step:\n"
          "the same command goes on after it was interrupted or killed. Builds stay in the folder\n"
          "`builds` of the cache, one a commit.",
      .help_rank = 5,
      .run = run_bisect_command};
}

}  // namespace opbench
