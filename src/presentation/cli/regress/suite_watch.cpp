#include "presentation/cli/regress/suite_watch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/compare/git_output.h"
#include "experiments/compare/revision_build.h"
#include "experiments/profile/profile_session.h"
#include "experiments/regress/backfill.h"
#include "experiments/regress/frozen_build.h"
#include "experiments/regress/kept_findings.h"
#include "experiments/regress/model_chains.h"
#include "experiments/regress/night_pairs.h"
#include "experiments/sessions/model/model_source.h"
#include "experiments/sessions/run_identity.h"
#include "machine/facts/build_info.h"
#include "machine/facts/environment.h"
#include "model/download/url.h"
#include "presentation/cli/options/store_option.h"
#include "presentation/cli/regress/build_options.h"
#include "presentation/cli/regress/detector_choice.h"
#include "watching/nights/alert_list.h"
#include "watching/nights/night_analysis.h"

namespace opbench {
namespace {

constexpr const char* kChanges = "+changes";

/// Of the checkout at --repo, or of this program where its own build is watched.
Result<std::string> watched_commit(const BuildRecipe& recipe, const std::string& revision) {
  if (!recipe.is_own()) return commit_of(recipe.checkout, revision.empty() ? "HEAD" : revision);
  if (!revision.empty()) {
    return invalid_input("--commit needs --build")
        .with("reason", "without it this program is measured, whose commit it knows");
  }
  const BuildInfo build = build_info();
  if (build.git_commit.empty()) return "version-" + build.version;
  return build.git_commit + (build.git_dirty ? kChanges : "");
}

std::string branch_of(const std::filesystem::path& checkout) {
  const auto name = git_output(checkout, {"rev-parse", "--abbrev-ref", "HEAD"});
  return !name || *name == "HEAD" ? "main" : *name;
}

/// The build that was measured tonight.
Result<CommitBuild> tonight_of(const SuiteWatch& watch) {
  if (watch.recipe.is_own()) return CommitBuild{.commit = watch.commit};
  return build_commit(watch.recipe, watch.commit);
}

Result<std::optional<CommitBuild>> base_of(const SuiteWatch& watch) {
  if (watch.base.empty()) return std::optional<CommitBuild>();
  OPBENCH_TRY(const BuildChoice choice, choose_build(watch.base.string(), "."));
  if (choice.commit.empty()) {
    return std::optional(CommitBuild{.commit = watch.base.string(), .opbench = choice.path});
  }
  OPBENCH_TRY(CommitBuild build, build_commit(watch.recipe, choice.commit));
  return std::optional(std::move(build));
}

Result<CommitBuild> build_of_night(const BuildRecipe& recipe, const std::string& commit) {
  if (commit.ends_with(kChanges) || commit.starts_with("version-")) {
    return Error{ErrorCode::kEnvironment,
                 fmt::format("{} was no commit alone: it cannot be built again", commit)};
  }
  if (recipe.checkout.empty()) {
    return Error{ErrorCode::kEnvironment, "there is no checkout here to build it from"};
  }
  return build_commit(recipe, commit);
}

Result<WatchedHistory> history_in_store(const SuiteWatch& watch, const std::string& tonight) {
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(watch.store));
  OPBENCH_TRY(const std::vector<NightResult> results, night_results(store, watch.suite.name));
  return history_of_nights(results, watch.suite,
                           {.branch = watch.base_branch,
                            .machine = watch.machine,
                            .tonight = tonight,
                            .chains = watch.chains,
                            .commits = watch.commits});
}

Result<SuiteFindings> analysed(const SuiteWatch& watch, const std::string& detector,
                               WatchedHistory watched, const PairSource& source) {
  if (watched.history.nights.empty()) {
    return Error{ErrorCode::kNoMatch, fmt::format("no nights of the suite \"{}\" on branch \"{}\"",
                                                  watch.suite.name, watch.base_branch)}
        .with("store", watch.store.string())
        .with("measure one", "opbench regress --suite FILE");
  }
  WatchOptions options;
  OPBENCH_TRY(options.detector, detector_for(detector, watched.history));
  OPBENCH_TRY(const WatchState state, analyse_history(watched.history, options, source));
  SuiteFindings findings{.watched = std::move(watched), .report = report_of(state, options, true)};
  findings.found = findings.report.alerts;
  OPBENCH_TRY(const std::vector<Annotation> annotations, read_annotations(watch.annotation_file()));
  findings.stray_annotations =
      apply_annotations(annotations, findings.watched.history, findings.report.alerts);
  return findings;
}

/// Without models that cannot be read: the night says why.
std::map<std::string, ModelChains> chains_of_models(const Suite& suite) {
  std::map<std::string, ModelChains> chains;
  for (const std::string& name : suite.models) {
    const auto request = request_of_case(suite, {name, false, suite.engines.front(), 1}, 1);
    if (!request || is_url(name)) continue;
    const auto model = load_outline(request->model, request->measure, {});
    if (model) chains.emplace(name, ModelChains(model->graph));
  }
  return chains;
}

/// Nothing is measured for the sake of questions that nobody asked.
Result<PairSource> known_answers(const SuiteWatch& watch, const WatchedHistory& watched,
                                 const std::string& why) {
  OPBENCH_TRY(std::vector<PairedRun> kept, read_kept_pairs(watch.pairs_file(), watched));
  return answers_of(std::move(kept), [why](const PairedQuestion&) -> Result<PairedAnswer> {
    return PairedAnswer{.failure = why};
  });
}

NightRequest night_request(const SuiteWatch& watch, const CommitBuild& build,
                           const FrozenControl& frozen, const std::vector<std::string>& argv) {
  NightRequest request{
      .suite = watch.suite,
      .store = watch.store,
      .branch = watch.branch,
      .commit = build.commit,
      .surroundings = watch.surroundings,
      .argv = argv,
      .hooks = watch.hooks,
      .measure = [](const ProfileRequest& profile) { return run_profile(profile); }};
  for (const UserEngine& engine : build.engines) request.hooks.user_engines.push_back(engine);
  for (const UserEngine& engine : frozen.engines) {
    request.hooks.user_engines.push_back(engine);
    request.frozen[engine.name] = frozen.commit;
  }
  return request;
}

/// Without engines where the suite has controls of its own, or nothing is built.
Result<FrozenControl> frozen_of(const SuiteWatch& watch, const CommitBuild& tonight) {
  const bool has_frozen = std::ranges::any_of(tonight.engines, [&](const UserEngine& engine) {
    return std::ranges::count(watch.suite.controls, frozen_name(engine.name)) > 0;
  });
  if (!has_frozen) return FrozenControl();
  return frozen_control(watch.folder, watch.recipe, tonight, method_of(watch.suite),
                        watch.surroundings);
}

/// Why nights that were left out are not measured tonight; empty: they are.
std::string why_not_filled(const SuiteWatch& watch) {
  if (!watch.is_backfilled) return "--backfill off";
  if (watch.recipe.is_own()) return "this program measures its own commit alone, without --build";
  if (watch.branch != watch.base_branch) return "they are of another branch than tonight";
  return "";
}

/// Measures nights that were left out before tonight, the last one that was measured. Without a
/// line, nothing was, and the history is as `watched` has it.
Result<std::vector<std::string>> fill_before(const SuiteWatch& watch, const std::string& detector,
                                             const WatchedHistory& watched,
                                             const std::string& night, const FrozenControl& frozen,
                                             const std::vector<std::string>& argv) {
  BackfillRequest request{.suite = watch.suite, .night = night, .why_not = why_not_filled(watch)};
  OPBENCH_TRY(request.options.detector, detector_for(detector, watched.history));
  // The first time it is what the caller has just read: all samples of all nights.
  request.history = [&, first = std::optional(watched)]() mutable -> Result<WatchedHistory> {
    if (first) return *std::exchange(first, std::nullopt);
    return history_in_store(watch, night);
  };
  request.source = [&](const WatchedHistory& history) {
    return known_answers(watch, history, "it was not asked that night");
  };
  request.measure = [&](const std::string& commit, const std::string& name,
                        const std::vector<SuiteCase>& cases) -> Result<NightOutcome> {
    OPBENCH_TRY(const CommitBuild build, build_of_night(watch.recipe, commit));
    NightRequest filling = night_request(watch, build, frozen, argv);
    filling.night = name;
    filling.filled_for = night;
    filling.cases = cases;
    return run_night(filling);
  };
  return fill_nights(request);
}

/// For who shows the night later.
Result<void> keep_night(const SuiteWatch& watch, const SuiteNight& night) {
  const NightOutcome& outcome = night.night;
  KeptFindings kept{.suite = watch.suite.name,
                    .branch = watch.branch,
                    .machine = watch.machine,
                    .night = outcome.labels.night,
                    .commit = outcome.labels.commit,
                    .at = utc_now(),
                    .cases = outcome.measured + outcome.kept,
                    .left_out = outcome.open,
                    .failures = outcome.failures,
                    .report = night.findings.report};
  kept.report.alerts = night.findings.found;
  for (const Night& measured : night.findings.watched.history.nights) {
    kept.nights.push_back({.index = measured.index,
                           .date = measured.date,
                           .commits = measured.commits,
                           .environment = measured.environment,
                           .method = measured.method});
  }
  return keep_findings(watch.folder, kept);
}

}  // namespace

std::vector<OptionDef> suite_watch_options() {
  std::vector<OptionDef> options = {
      suite_option(),
      {.name = "--branch",
       .value_name = "BRANCH",
       .help = "whose nights these are; default: the branch that is checked out"},
      {.name = "--against",
       .value_name = "BRANCH",
       .help = "whose nights are the history, for a pull request; default: --branch"},
      {.name = "--commit",
       .value_name = "REV",
       .help = "measure this commit's build, not that of the checkout; needs --build",
       .is_settable = false},
      store_option()};
  for (OptionDef& option : commit_build_options()) options.push_back(std::move(option));
  return options;
}

Result<SuiteWatch> suite_watch_of(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  SuiteWatch watch;
  OPBENCH_TRY(watch.recipe, build_recipe_of(invocation));
  OPBENCH_TRY(const Suite suite, suite_of(invocation, watch.recipe));
  watch.suite = with_frozen_controls(suite, watch.recipe);
  OPBENCH_TRY(watch.store, store_folder_of(arguments));
  watch.folder = watch_folder(watch.store, watch.suite.name);
  const auto& checkout = watch.recipe.checkout;
  watch.branch =
      arguments.value("--branch").empty() ? branch_of(checkout) : arguments.value("--branch");
  watch.base_branch =
      arguments.value("--against").empty() ? watch.branch : arguments.value("--against");
  OPBENCH_TRY(watch.commit, watched_commit(watch.recipe, arguments.value("--commit")));
  const std::string head = watch.recipe.is_own() ? watch.commit : "HEAD";
  watch.commits = commits_along(checkout, head.substr(0, head.find('+')));
  watch.chains = chains_of_models(watch.suite);
  const Environment environment = capture_environment();
  watch.machine = environment.machine_hash;
  watch.surroundings = surroundings_of(environment);
  watch.hooks.user_engines = invocation.settings.engines;
  return watch;
}

Result<SuiteFindings> findings_of(const SuiteWatch& watch) {
  OPBENCH_TRY(WatchedHistory watched, history_in_store(watch, ""));
  OPBENCH_TRY(const PairSource source,
              known_answers(watch, watched, "it was not measured; run opbench regress"));
  return analysed(watch, "", std::move(watched), source);
}

Result<SuiteNight> watch_tonight(const SuiteWatch& watch, const std::string& detector,
                                 const std::string& night, const std::vector<std::string>& argv) {
  OPBENCH_TRY(const NightLock lock, NightLock::take(watch.store, watch.suite.name));
  OPBENCH_TRY(CommitBuild tonight, tonight_of(watch));
  OPBENCH_TRY(std::optional<CommitBuild> base, base_of(watch));
  OPBENCH_TRY(const FrozenControl frozen, frozen_of(watch, tonight));
  NightRequest request = night_request(watch, tonight, frozen, argv);
  request.night = night;
  SuiteNight result;
  OPBENCH_TRY(result.night, run_night(request));
  const std::string name = result.night.labels.night;
  OPBENCH_TRY(WatchedHistory watched, history_in_store(watch, name));
  std::vector<std::string> lines;
  if (result.night.open == 0) {
    OPBENCH_TRY(lines, fill_before(watch, detector, watched, name, frozen, argv));
  }
  if (!lines.empty()) {
    OPBENCH_TRY(watched, history_in_store(watch, name));
  }
  if (!frozen.note.empty()) lines.insert(lines.begin(), frozen.note);
  const NightPairs pairs{
      .watched = watched,
      .tonight = std::move(tonight),
      .base = std::move(base),
      .build = [&](const std::string& commit) { return build_of_night(watch.recipe, commit); },
      .measure =
          [&](const PairedSubject& subject, const CommitBuild& before, const CommitBuild& after,
              int count, uint64_t seed) {
            return pairs_of_builds(subject, before, after, count, seed, watch.hooks);
          }};
  const PairSource measured = pair_source_of(pairs);
  const int last_night = watched.history.nights.empty() ? 0 : watched.history.nights.back().index;
  const PairSource keeping = [&](const PairedQuestion& question) -> Result<PairedAnswer> {
    // A night that is over is not measured again because the history has changed.
    if (question.night != last_night) return PairedAnswer{.failure = "it was not asked that night"};
    OPBENCH_TRY(PairedAnswer answer, measured(question));
    OPBENCH_CHECK(keep_pairs(watch.pairs_file(), watched, {question, answer}));
    return answer;
  };
  OPBENCH_TRY(std::vector<PairedRun> kept, read_kept_pairs(watch.pairs_file(), watched));
  const PairSource source = answers_of(std::move(kept), keeping);
  OPBENCH_TRY(result.findings, analysed(watch, detector, watched, source));
  std::vector<std::string>& notes = result.findings.report.notes;
  notes.insert(notes.end(), lines.begin(), lines.end());
  OPBENCH_CHECK(keep_night(watch, result));
  return result;
}

}  // namespace opbench
