#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/regress/git_commits.h"
#include "experiments/regress/model_chains.h"
#include "experiments/regress/night_rows.h"
#include "experiments/regress/paired_builds.h"
#include "experiments/regress/suite.h"
#include "watching/series/history.h"

namespace opbench {

/// What of a store belongs to one history.
struct HistoryScope {
  std::string branch;   ///< whose nights are the base
  std::string machine;  ///< machine_hash
  std::string tonight;  ///< counts whatever its branch is; of another branch it stands last
  std::map<std::string, ModelChains> chains = {};  ///< by model; without: a model is one chain
  std::vector<GitCommit> commits;  ///< along the branch, oldest first; empty: not known
};

/// What a chain of units is measured on.
struct PairedChain {
  PairedSubject subject;        ///< the model with its units; the model alone where it is one chain
  std::set<std::string> units;  ///< texts of the last night's units in it; empty: the whole model
  std::string model = {};       ///< engine/model, as in Night::models
  double share = 1;             ///< of the model's time, in the last night
};

/// A history with the way back: which commit a night measured, and what a series is.
struct WatchedHistory {
  History history;
  std::vector<std::string> commits;               ///< by Night::index
  std::map<std::string, PairedSubject> subjects;  ///< by Series::id
  std::map<std::string, PairedChain> chains;      ///< by engine/chain, as in Night::chains
};

/// Nights in the order of their commits on the branch, those of one commit in the order of their
/// names; of commits that are not on it, in the order of time. A night that was measured after one
/// that stands behind it was filled in. Of a result that stands twice in a
/// night the later one counts. A series is engine/model@threads/unit; equal workloads of one model
/// are told apart by their first nodes.
WatchedHistory history_of_nights(const std::vector<NightResult>& results, const Suite& suite,
                                 const HistoryScope& scope);

}  // namespace opbench
