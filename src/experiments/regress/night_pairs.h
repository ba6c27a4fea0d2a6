#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/regress/commit_build.h"
#include "experiments/regress/night_history.h"
#include "experiments/regress/paired_builds.h"
#include "watching/series/paired_runs.h"

namespace opbench {

/// What paired runs between nights need.
struct NightPairs {
  const WatchedHistory& watched;
  CommitBuild tonight;              ///< the build that was measured tonight
  std::optional<CommitBuild> base;  ///< the last good build, if it was given; else it is built
  std::function<Result<CommitBuild>(const std::string& commit)> build;
  std::function<Result<std::vector<RowPairs>>(const PairedSubject&, const CommitBuild& before,
                                              const CommitBuild& after, int pairs, uint64_t seed)>
      measure;
};

/// Answers questions of an analysis by measuring two builds side by side, now. Of a build that
/// cannot be had or run the answer holds the reason. Only interruptions are errors.
PairSource pair_source_of(const NightPairs& pairs);

/// Paired runs that were made before, from the file that keeps them; those of nights that the
/// history does not have any more are left out. A last line that was cut does not count.
Result<std::vector<PairedRun>> read_kept_pairs(const std::filesystem::path& file,
                                               const WatchedHistory& watched);

/// Answers from kept paired runs. Where a range was narrowed afterwards, because a night in it was
/// filled in, the run of the range around it answers, each run once. Other questions go to
/// `unknown`.
PairSource answers_of(std::vector<PairedRun> kept, PairSource unknown);

/// Adds one. Nights stand there by their names, since their numbers move when one is added.
Result<void> keep_pairs(const std::filesystem::path& file, const WatchedHistory& watched,
                        const PairedRun& run);

}  // namespace opbench
