#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/regress/commit_build.h"
#include "experiments/regress/git_commits.h"
#include "experiments/regress/paired_builds.h"
#include "experiments/regress/suite.h"
#include "experiments/sessions/request/run_hooks.h"
#include "watching/bisect/bisect_search.h"

namespace opbench {

/// What a bisection looks at: one row of a suite.
struct BisectTarget {
  SuiteCase suite_case;
  std::string unit;    ///< canonical text of its workload; empty: the model, or the workload
  std::string shapes;  ///< short form
  bool operator==(const BisectTarget&) const = default;
};

/// What the first look at a case found.
struct BisectLook {
  std::string case_text;  ///< text_of() the case
  std::string unit;       ///< of the row that stands out most
  std::string shapes;
  double size = -1;  ///< how far it stands out from its noise; below 0: no row is meant
  bool operator==(const BisectLook&) const = default;
};

/// A bisection as its file keeps it.
struct BisectProgress {
  std::string question;                ///< a hash of all that was asked: another one begins anew
  std::vector<BisectLook> looks = {};  ///< at the cases so far
  std::optional<BisectTarget> target;  ///< nothing: not chosen yet
  BisectState state;
  bool operator==(const BisectProgress&) const = default;
};

/// The progress as text, and back. `kInvalidInput` for what is none.
std::string progress_text(const BisectProgress& progress);
Result<BisectProgress> read_progress(std::string_view text);

struct BisectRequest {
  Suite suite;
  std::vector<GitCommit> commits;  ///< the good one first, the bad one last
  BuildRecipe recipe;
  std::string only;  ///< text in the case, or the unit, that is meant; empty: any
  BisectRule rule;
  std::filesystem::path file;  ///< for the progress; written after each step
  bool is_anew = false;        ///< what the file holds does not count
  uint64_t seed = 0;
  RunHooks hooks;
};

/// A hash of what is asked: ends, cases, what builds a commit. A bisection of the same question
/// goes on.
std::string question_of(const BisectRequest& request);

/// What a run of a bisection does outside: tests play the machine.
struct BisectSteps {
  std::function<Result<CommitBuild>(const std::string& commit)> build;
  std::function<Result<std::vector<RowPairs>>(const PairedSubject&, const CommitBuild& before,
                                              const CommitBuild& after, int pairs, uint64_t seed)>
      measure;
};

/// The steps of the real machine. `request` must outlive them.
BisectSteps steps_of(const BisectRequest& request);

/// How far it has come, for one line.
using BisectListener = std::function<void(const BisectProgress&, const std::string& doing)>;

/// Leaves out commits that touch documents alone. Chooses the row that differs most between the
/// ends, then finds the commit that changed it. After each step the progress is kept, so that a run
/// that was killed goes on where it was. A commit that cannot be built or run is skipped with its
/// reason. Errors: `kInvalidInput` where no case of the suite can be bisected; `kEnvironment` where
/// an end cannot be built or run; `kInterrupted`.
Result<BisectProgress> run_bisect(const BisectRequest& request, const BisectSteps& steps,
                                  const BisectListener& tell);

}  // namespace opbench
