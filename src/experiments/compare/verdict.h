#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measuring/results/compare_result.h"
#include "measuring/sampling/paired.h"

namespace opbench {

/// What decides: a difference below the margin does not matter.
struct VerdictRule {
  double margin = 0.02;  ///< as wanted by the user; relative
  double level = 0.05;   ///< share of false ones among the units called slower or faster
};

/// max(wanted, 2 × floor), relative. A margin m stands for the ratios from 1/(1+m) to 1+m, so that
/// exchanging the sides exchanges the verdicts.
double margin_of(double wanted, std::optional<double> floor);

/// One ratio to be judged.
struct Evidence {
  Estimate log_ratio;
  std::optional<double> floor;  ///< A/A difference of the unit, relative
  double spent_s = 0;           ///< what the evidence has cost; 0: not known, nor what is needed
};

struct JudgedRatio {
  Verdict verdict = Verdict::kInconclusive;
  Ratio ratio;
  double margin = 0.02;
  std::string reason;             ///< one line without jargon: the interval and the margin
  std::optional<double> needs_s;  ///< more time until it would be decided; nothing: never, or is
};

/// Verdicts on a list of units. The interval wholly above +margin: slower; below -margin: faster;
/// inside the margin as wanted: same, as a floor that widens the margin hides differences and does
/// not make them vanish; else inconclusive. Slower and faster also need to be among the discoveries
/// of Benjamini and Hochberg (1995) at `level` over the list, of the hypotheses that the true ratio
/// lies inside the margin; what fails there is inconclusive. The p-value is the greatest that the
/// hypothesis allows, at the margin: P(|T| beyond the observed) from both sides by Student's t, so
/// that it is one-sided for a margin above the error and two-sided for none.
///
/// needs_s: the interval shrinks with 1/sqrt(time), the centre stays. Nothing when it would take
/// over 100 times as long.
std::vector<JudgedRatio> judge(const std::vector<Evidence>& units, const VerdictRule& rule);

/// One verdict by itself (the model's).
JudgedRatio judge_one(const Evidence& evidence, const VerdictRule& rule);

/// Whether more rounds could not change the verdict of a unit judged with the others: it is not
/// inconclusive, or its interval is so short that the centre itself is at the margin.
bool is_settled(const Evidence& evidence, const VerdictRule& rule, size_t units);

}  // namespace opbench
