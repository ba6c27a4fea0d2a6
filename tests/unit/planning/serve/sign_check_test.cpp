#include "planning/serve/sign_check.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

PolicyResult result_of(const std::string& policy, const std::vector<double>& violations) {
  PolicyResult result{policy, "drop", policy != kOurPolicy, {}};
  for (const double one : violations) {
    result.by_seed.push_back({.violations = one, .goodput_per_s = 1});
  }
  return result;
}

/// Ours and a baseline at one load; ours has so many violations less on each seed.
ServingStudy study_of(const std::vector<double>& less) {
  std::vector<double> baseline(less.size(), 0.5), ours;
  for (const double one : less) ours.push_back(0.5 - one);
  LoadResult load{.load = 0.8, .results = {result_of("edf", baseline), result_of("slack", ours)}};
  load.comparison = compare_paired(load.results, 1, 0);
  return {.loads = {load}};
}

SignVerdict verdict_of(const std::vector<double>& simulated, const std::vector<double>& measured) {
  const auto checks = check_signs(study_of(simulated), study_of(measured));
  EXPECT_EQ(checks.size(), 1u);
  return checks.front().verdict;
}

TEST(CheckSigns, ComparesTheSamePairOnBothSides) {
  EXPECT_EQ(verdict_of({0.2, 0.21, 0.19}, {0.1, 0.12, 0.11}), SignVerdict::kConfirmed);
  EXPECT_EQ(verdict_of({0.2, 0.21, 0.19}, {-0.1, -0.12, -0.11}), SignVerdict::kContradicted);
  EXPECT_EQ(verdict_of({0.2, 0.21, 0.19}, {0.2, -0.3, 0.1}), SignVerdict::kOpen);
  EXPECT_EQ(verdict_of({0.2}, {0.3}), SignVerdict::kOpen) << "one seed has no interval";
}

TEST(CheckSigns, LeaveOpenWhatTheControlShowsOfEqualPolicies) {
  ServingStudy measured = study_of({0.1, 0.12, 0.11});
  const auto verdict = [&](double low, double high) {
    measured.loads[0].control = ServingControl{"slack drop", {0, {low, high}, true}};
    return check_signs(study_of({0.2, 0.21, 0.19}), measured).front().verdict;
  };
  EXPECT_EQ(verdict(-0.02, 0.02), SignVerdict::kConfirmed);
  EXPECT_EQ(verdict(-0.2, 0.02), SignVerdict::kOpen);
  EXPECT_EQ(verdict(-0.02, 0.2), SignVerdict::kOpen);
}

TEST(CheckSigns, LeavesOutWhatWasNotMeasured) {
  ServingStudy measured = study_of({0.1, 0.1});
  measured.loads[0].results.erase(measured.loads[0].results.begin());
  EXPECT_TRUE(check_signs(study_of({0.2, 0.2}), measured).empty());
}

}  // namespace
}  // namespace opbench
