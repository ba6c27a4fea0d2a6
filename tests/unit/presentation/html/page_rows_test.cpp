#include "presentation/html/page_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "page_profile.h"

namespace opbench {
namespace {

PageRow judged(double ms, double base_ms, std::optional<double> spread, double margin = 2) {
  PageRow row{.time = PageTime{ms, spread}, .base_time = PageTime{base_ms, spread}};
  judge(row, margin);
  return row;
}

TEST(PageRows, JudgesByIntervalAndMargin) {
  EXPECT_EQ(judged(11, 10, 0.01).verdict, Verdict::kSlower);
  EXPECT_EQ(judged(9, 10, 0.01).verdict, Verdict::kFaster);
  EXPECT_EQ(judged(10.05, 10, 0.005).verdict, Verdict::kSame);
  EXPECT_EQ(judged(11, 10, 0.1).verdict, Verdict::kInconclusive);
  EXPECT_EQ(judged(11, 10, 0.01, 12).verdict, Verdict::kSame) << "a wider margin";
}

TEST(PageRows, AddsBothSpreads) {
  const PageRow row = judged(11, 10, 0.03);
  EXPECT_NEAR(row.ratio->low, 1.1 * std::exp(-0.03 * std::sqrt(2)), 1e-12);
  EXPECT_NEAR(row.ratio->high, 1.1 * std::exp(0.03 * std::sqrt(2)), 1e-12);
}

TEST(PageRows, SaysWhyThereIsNoVerdict) {
  const PageRow unknown = judged(20, 10, {});
  EXPECT_EQ(unknown.verdict, Verdict::kInconclusive);
  EXPECT_EQ(unknown.reason, "the time has no interval");
  PageRow failed{.time = PageTime{1, 0.1}};
  UnitResult unit;
  unit.failure = Failure{FailureKind::kRunError, "killed"};
  failed.base = {&unit};
  judge(failed, 2);
  EXPECT_FALSE(failed.verdict);
  EXPECT_EQ(failed.reason, "the base failed: run_error: killed");
}

TEST(PageRows, GivesNoVerdictOnTimesOfOtherClocks) {
  ProfileResult now = page_profile("r2", 1.5);
  const ProfileResult base = page_profile("r1");
  now.engines[0].emulator = "qemu-aarch64 7.2";
  const PagePair pair = page_pairs(now, &base, 2).at(0);
  for (const PageRow& row : pair.rows) {
    EXPECT_TRUE(row.ratio);
    EXPECT_FALSE(row.verdict);
    EXPECT_EQ(row.reason,
              "the times are from different clocks, wall and emulated: a ratio, no verdict");
    EXPECT_EQ(change_over_threshold(row, 2), 0);
  }
  EXPECT_FALSE(pair.model.verdict);
  EXPECT_TRUE(pair.model.ratio);
}

TEST(PageRows, TrustsNoSingleRun) {
  ProfileResult now = page_profile("r2", 1.5);
  const ProfileResult base = page_profile("r1");
  now.engines[0].units[0].occurrences[0].in_place_error_ms = 0;
  const PagePair pair = page_pairs(now, &base, 2).at(0);
  for (const PageRow& row : pair.rows) {
    if (row_name(row) != "conv2d") continue;
    EXPECT_EQ(row.verdict, Verdict::kInconclusive);
  }
}

TEST(PageRows, MatchesByNodesAndSortsByChange) {
  const ProfileResult now = page_profile("r2", 1.5), base = page_profile("r1");
  const PagePair pair = page_pairs(now, &base, 2).at(0);
  ASSERT_EQ(pair.rows.size(), 3U);
  EXPECT_EQ(row_name(pair.rows[0]), "conv2d");
  EXPECT_EQ(pair.rows[0].verdict, Verdict::kSlower);
  EXPECT_NEAR(change_over_threshold(pair.rows[0], 2), std::log(1.5) / std::log(1.02), 1e-9);
  EXPECT_EQ(row_name(pair.rows[1]), "relu");
  EXPECT_EQ(pair.rows[1].verdict, Verdict::kSame);
  EXPECT_NEAR(pair.rows[0].share, 6.0 / 9, 1e-12);
  EXPECT_NEAR(pair.rows[0].base_share, 4.0 / 7, 1e-12);
}

TEST(PageRows, ListsApartWhatOneSideHas) {
  ProfileResult now = page_profile("r2");
  const ProfileResult base = page_profile("r1");
  now.engines[0].units[0].identity.nodes = now.engines[0].units[0].occurrences[0].nodes = {"new"};
  const PagePair pair = page_pairs(now, &base, 2).at(0);
  EXPECT_EQ(pair.rows.size(), 2U);
  ASSERT_EQ(pair.only_here.size(), 1U);
  ASSERT_EQ(pair.only_there.size(), 1U);
  EXPECT_TRUE(pair.only_there[0].units.empty());
  EXPECT_FALSE(pair.only_here[0].verdict);
}

TEST(PageRows, MatchesChangesOfLayoutByWhatTheyAre) {
  ProfileResult now = page_profile("r2"), base = page_profile("r1");
  for (ProfileResult* result : {&now, &base}) {
    UnitResult& unit = result->engines[0].units[2];
    unit.identity.operator_text = "layout";
    unit.identity.nodes = unit.occurrences[0].nodes = {};
  }
  const PagePair pair = page_pairs(now, &base, 2).at(0);
  EXPECT_EQ(pair.rows.size(), 3U);
  EXPECT_TRUE(pair.only_here.empty());
  EXPECT_TRUE(pair.only_there.empty());
}

TEST(PageRows, ComparesEnginesOfOneReport) {
  ProfileResult result = page_profile("r1");
  result.engines.push_back(page_profile("r2", 2).engines[0]);
  result.engines[1].engine = "onnxruntime";
  const auto pairs = page_pairs(result, nullptr, 2);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].base, nullptr);
  EXPECT_EQ(pairs[1].base, &result.engines[0]);
  EXPECT_EQ(pairs[1].base_name, "halide");
}

TEST(PageRows, TakesTheBaseOfTheSameEngineAndThreads) {
  const ProfileResult now = page_profile("r2");
  ProfileResult base = page_profile("r1");
  base.engines.insert(base.engines.begin(), base.engines[0]);
  base.engines[0].threads = 2;
  EXPECT_EQ(page_pairs(now, &base, 2)[0].base, &base.engines[1]);
  base.engines[1].threads = 4;
  EXPECT_EQ(page_pairs(now, &base, 2)[0].base, nullptr) << "two runs, and none of one thread";
}

}  // namespace
}  // namespace opbench
