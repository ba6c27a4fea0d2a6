#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/regress/annotations.h"
#include "experiments/regress/commit_build.h"
#include "experiments/regress/git_commits.h"
#include "experiments/regress/night_history.h"
#include "experiments/regress/night_run.h"
#include "experiments/regress/suite.h"
#include "experiments/sessions/request/run_hooks.h"
#include "presentation/cli/command.h"
#include "watching/series/alert.h"

namespace opbench {

/// A suite, its store and its builds, as options name them.
struct SuiteWatch {
  Suite suite;
  BuildRecipe recipe;
  std::filesystem::path store;
  std::filesystem::path folder;               ///< of the store, for what belongs to the suite
  std::string branch;                         ///< whose runs tonight's are
  std::string base_branch;                    ///< whose nights are the history
  std::string commit;                         ///< of the watched engines
  std::vector<GitCommit> commits;             ///< along the branch, oldest first; empty: not known
  std::map<std::string, ModelChains> chains;  ///< of models that can be read here
  std::filesystem::path base;                 ///< --base: a build; empty: the commit's own
  bool is_backfilled = true;                  ///< --backfill
  std::string machine;                        ///< machine_hash
  std::string surroundings;                   ///< surroundings_of()
  RunHooks hooks;

  std::filesystem::path annotation_file() const { return annotations_in(folder); }
  std::filesystem::path pairs_file() const { return folder / "pairs.jsonl"; }
};

/// --suite, --store, --branch, --against, --repo, --build, --engine
std::vector<OptionDef> suite_watch_options();

/// What they say. Errors of suite_of() and build_recipe_of(); no store.
Result<SuiteWatch> suite_watch_of(const Invocation& invocation);

/// What is known of a suite's nights.
struct SuiteFindings {
  WatchedHistory watched;
  RegressReport report;
  std::vector<Alert> found;   ///< the report's alerts before people's words on them
  int stray_annotations = 0;  ///< that belong to no alert
};

/// What the store's nights come to, with the paired runs that were made; nothing is measured.
/// `kNoMatch` where the store has no nights of this suite, branch and machine.
Result<SuiteFindings> findings_of(const SuiteWatch& watch);

/// Measures tonight, then asks for paired runs where the history wants them. `kEnvironment` where
/// another program measures this suite on this store, or the watched engines cannot be built.
/// `detector` as detector_for(); `night` as NightRequest::night.
struct SuiteNight {
  NightOutcome night;
  SuiteFindings findings;
};
Result<SuiteNight> watch_tonight(const SuiteWatch& watch, const std::string& detector,
                                 const std::string& night, const std::vector<std::string>& argv);

}  // namespace opbench
