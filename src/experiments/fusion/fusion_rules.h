#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/fusion/fusion_decision.h"
#include "experiments/fusion/fusion_request.h"

namespace opbench {

/// One pair on one engine.
struct FusionRule {
  std::string pair;
  std::string first, second;
  FusionEvidence evidence;
  size_t rounds = 0;  ///< in all processes together
  /// Whether the engine runs the pair in fewer kernels, by its own words; nothing: it has none.
  std::optional<bool> is_fused;
  std::string failure;  ///< why nothing was measured
};

/// How verdicts stand against what the engine says of itself.
struct FusionScore {
  int64_t judged = 0;  ///< pairs of which both are known
  int64_t right_fused = 0, wrong_fused = 0, missed_fused = 0, undecided = 0;

  /// Of pairs called fused, those that are; nothing: none is called so.
  std::optional<double> precision() const;
  /// Of fused pairs, those called so; an undecided one is missed. Nothing: none is fused.
  std::optional<double> recall() const;
};
FusionScore score_of(const std::vector<FusionRule>& rules);

struct EngineFusion {
  std::string engine;
  int threads = 1;
  std::string truth;  ///< where the engine's own words come from; empty: it does not say
  std::vector<FusionRule> rules;
};

/// Times every pair alone and together in every engine, in rounds over three processes of each
/// model, until the times decide or the budget is spent. A pair that an engine cannot run has its
/// reason. `kInvalidInput`, `kEnvironment`: an engine that is not there.
Result<std::vector<EngineFusion>> find_fusion_rules(const FusionRequest& request);

}  // namespace opbench
