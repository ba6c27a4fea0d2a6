#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "measuring/results/statistics.h"

namespace opbench {

/// One round: the models of a pair timed one after the other, in seconds a call.
struct PairRound {
  double rest_of_first = 0;
  double rest_of_second = 0;
  double first = 0;
  double second = 0;
  double both = 0;
};

/// The rounds of every engine process.
using PairRounds = std::vector<std::vector<PairRound>>;

enum class FusionVerdict { kFused, kNotFused, kUndecided };

/// `fused`, `not fused`, `undecided`
std::string_view name_of(FusionVerdict verdict);

/// What times say of a pair, in seconds, with 95 % intervals. The time of an operator that changes
/// the shape also has the difference between the reductions of both shapes; `saved` has not.
struct FusionEvidence {
  Estimate first;  ///< of the operator, without the rest of its model
  Estimate second;
  Estimate both;
  Estimate saved;    ///< first + second - both
  double share = 0;  ///< of the saved time in the lighter operator's
  Interval margin;   ///< of saved less half of the lighter operator's time; decides by its sign
  FusionVerdict verdict = FusionVerdict::kUndecided;
};

/// How often the same rounds, and more of them, may be looked at. The interval that decides is wide
/// enough for all looks together (Bonferroni).
constexpr int kMostLooks = 4;

/// Two operators count as fused when running them as one saves more than half of the lighter one's
/// time (nn-Meter, MobiSys 2021, with alpha 0.5), and as not fused when it saves less. So the whole
/// interval of saved - lighter / 2 must lie above 0, or below. Else, and where the lighter one's
/// time is not above 0, the times say nothing.
FusionEvidence judge_fusion(const PairRounds& rounds, uint64_t seed);

}  // namespace opbench
