#include "presentation/cli/regress/suite_regress.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/text/counted.h"
#include "experiments/regress/kept_builds.h"
#include "experiments/regress/kept_samples.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/regress/suite_watch.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

/// `night 2026-11-28 of nightly on main: 4 cases measured, 2 before`
std::string night_line(const NightOutcome& night) {
  std::string text =
      fmt::format("night {} of {} on {}: {} measured", night.labels.night, night.labels.suite,
                  night.labels.branch, counted(night.measured, "case"));
  if (night.kept > 0) text += fmt::format(", {} before", night.kept);
  if (night.open > 0) text += fmt::format(", {} left out", night.open);
  if (!night.failures.empty()) text += fmt::format(", {} failed", night.failures.size());
  return text;
}

constexpr double kMega = 1e6;

Result<void> prune_old_samples(double bytes, const SuiteWatch& watch, const SuiteFindings& findings,
                               Terminal& terminal) {
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_write(watch.store));
  const SampleScope scope{
      .suite = watch.suite.name, .branch = watch.base_branch, .machine = watch.machine};
  OPBENCH_TRY(
      const PrunedSamples pruned,
      prune_samples(store, scope,
                    nights_without_need(findings.watched.history, findings.report.alerts), bytes));
  if (terminal.is_quiet) return {};
  if (pruned.nights > 0) {
    terminal.err << fmt::format("samples of {} dropped, {:.1f} MB\n",
                                counted(pruned.nights, "old night"), pruned.freed_bytes / kMega);
  }
  if (pruned.bytes > bytes) {
    terminal.err << fmt::format(
        "the results of the store take {:.1f} MB: {}\n", pruned.bytes / kMega,
        pruned.is_elsewhere ? "another program merges its parts now"
                            : "no more samples of this suite may be dropped");
  }
  return {};
}

Result<void> prune(const std::string& rule_text, const SuiteWatch& watch,
                   const SuiteFindings& findings, Terminal& terminal) {
  if (rule_text.empty()) return {};
  OPBENCH_TRY(const KeepRule rule, parse_keep_rule(rule_text));
  OPBENCH_TRY(const PrunedBuilds pruned, prune_builds(watch.recipe.folder, rule));
  if (pruned.removed > 0 && !terminal.is_quiet) {
    terminal.err << fmt::format("{} of old commits removed, {:.0f} MB\n",
                                counted(pruned.removed, "build"), pruned.freed_bytes / kMega);
  }
  if (!rule.bytes) return {};
  return prune_old_samples(*rule.bytes, watch, findings, terminal);
}

Result<SuiteNight> night_with_progress(SuiteWatch& watch, const Invocation& invocation,
                                       Terminal& terminal, bool& is_interrupted) {
  const Interruption interruption;
  ProgressLine line(terminal);
  watch.hooks.cancel = watch.recipe.cancel = &interruption.flag();
  watch.hooks.progress = [&](const Progress& state) { line.show(state); };
  watch.recipe.progress = [&](const std::string& step, double seconds) {
    line.show({.stage = "build", .item = fmt::format("{}, {:.0f} s", step, seconds)});
  };
  auto night = watch_tonight(watch, invocation.arguments.value("--detector"),
                             invocation.arguments.value("--night"), invocation.argv);
  line.clear();
  is_interrupted = interruption.flag();
  return night;
}

Error interrupted_night(const Invocation& invocation) {
  return Error{ErrorCode::kInterrupted, "interrupted; what was measured until then is kept"}.with(
      "go on", shell_text(invocation.argv));
}

Result<void> night_verdict(const SuiteNight& tonight) {
  if (!tonight.night.failures.empty()) {
    return Error{ErrorCode::kPartial, "not every case of the suite could be measured",
                 tonight.night.failures};
  }
  if (tonight.findings.report.nights < 2) {
    return Error{ErrorCode::kNoMatch, "no history yet: this was the first night of the suite"};
  }
  return {};
}

}  // namespace

std::vector<OptionDef> suite_regress_options() {
  std::vector<OptionDef> options = suite_watch_options();
  options.push_back({.name = "--base",
                     .value_name = "BUILD",
                     .help = "the last good build, for paired runs; default: built from its commit",
                     .file = FileUse::kRead});
  options.push_back(
      {.name = "--night",
       .value_name = "NAME",
       .help = "which night this is; default: one that was cut off, else today's next",
       .is_settable = false});
  options.push_back({.name = "--backfill",
                     .value_name = "WORD",
                     .help = "on: before a suspicion, measure nights that were left out; or off",
                     .otherwise = "on"});
  options.push_back({.name = "--keep",
                     .value_name = "RULE",
                     .help = "prune old builds and samples: '30 builds, 10 GB'"});
  return options;
}

Result<void> regress_suite(const Invocation& invocation, Terminal& terminal,
                           const RegressOutput& output) {
  const Arguments& arguments = invocation.arguments;
  const std::string keep = arguments.value("--keep");
  if (!keep.empty()) OPBENCH_CHECK(parse_keep_rule(keep));
  OPBENCH_TRY(SuiteWatch watch, suite_watch_of(invocation));
  watch.base = arguments.value("--base");
  OPBENCH_TRY(const std::string backfill, arguments.choice("--backfill", {"on", "off"}));
  watch.is_backfilled = backfill == "on";
  bool is_interrupted = false;
  const auto tonight = night_with_progress(watch, invocation, terminal, is_interrupted);
  if (!tonight && tonight.error().code == ErrorCode::kInterrupted) {
    return interrupted_night(invocation);
  }
  if (!tonight) return tonight.error();
  if (!terminal.is_quiet) terminal.err << night_line(tonight->night) << "\n";
  OPBENCH_CHECK(output.write(tonight->findings.report));
  if (is_interrupted) return interrupted_night(invocation);
  OPBENCH_CHECK(prune(keep, watch, tonight->findings, terminal));
  OPBENCH_CHECK(output.judge(tonight->findings.report));
  return night_verdict(*tonight);
}

}  // namespace opbench
