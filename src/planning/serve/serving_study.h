#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planning/serve/serving_figures.h"

namespace opbench {

/// Serves queries by a variant of a policy.
using ServeOnce = std::function<Result<ServingRun>(
    const std::vector<Query>& queries, const PolicyDef& policy, const PolicyVariant& variant)>;

struct StudyOptions {
  std::vector<double> loads = {0.8};
  std::vector<std::string> policies;  ///< by name; empty: all
  std::vector<std::string> variants;  ///< of these policies, as `edf wide drop`; empty: all
  std::string control;   ///< a variant by name that serves twice: the A/A control; empty: none
  int seeds = 20;        ///< from `queries.seed` on
  QueryOptions queries;  ///< but for load and seed
  ServingOptions serving;
  ServeOnce serve = {};  ///< what runs queries; empty: the simulation
  std::function<void(int done, int total)> progress = {};  ///< runs; may be empty
  std::function<bool()> should_stop = {};  ///< asked before every seed; may be empty
};

/// One variant of a policy at one load.
struct PolicyResult {
  std::string policy;
  std::string variant;
  bool is_baseline = true;
  std::vector<ServingFigures> by_seed;

  SeedMean mean(double ServingFigures::*figure) const;
  std::string name() const { return policy + " " + variant; }
};

/// Two results on the same queries, seed by seed.
struct PairedComparison {
  size_t first = 0, second = 0;  ///< places in LoadResult::results
  SeedMean violations;           ///< of the first less those of the second
  SeedMean goodput;              ///< of the first over that of the second
};

/// A variant beside itself: how far equal policies differ.
struct ServingControl {
  std::string name;     ///< `slack drop`
  SeedMean violations;  ///< of its second time less those of the first, seed by seed
};

struct LoadResult {
  double load = 0;
  std::vector<PolicyResult> results;
  size_t winner = 0;  ///< fewest violations in the mean; of equals the first
  /// kOurPolicy's first variant beside the best variant of all baselines; without one of them the
  /// winner beside the best of other policies. Nothing: only one policy was run.
  std::optional<PairedComparison> comparison;
  std::optional<ServingControl> control;  ///< nothing: no variant served twice
};

struct ServingStudy {
  double capacity_per_s = 0;
  std::vector<double> solo_ms;  ///< by model
  std::vector<LoadResult> loads;
};

/// The policy that is compared with the baselines.
inline constexpr const char* kOurPolicy = "slack";

/// Of two results at one load. Both have all seeds.
PairedComparison compare_paired(const std::vector<PolicyResult>& results, size_t first,
                                size_t second);

/// Serves by every variant of the policies at every load with every seed. Variants get the same
/// queries; with each seed their order is drawn anew. Errors are those of check_serving and
/// simulate_serving; `kInterrupted` where should_stop said so; `kInvalidInput` for an unknown
/// policy, without a seed or a query, and for a load that is not above 0.
Result<ServingStudy> study_serving(const ServingSystem& system, const StudyOptions& options);

}  // namespace opbench
