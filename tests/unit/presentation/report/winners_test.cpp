#include "presentation/report/compare/winners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_compare.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;

/// The text of the model's winner when these verdicts are known of three sides.
std::string winner(std::optional<Verdict> b_to_a, std::optional<Verdict> c_to_a,
                   std::optional<Verdict> c_to_b) {
  CompareResult result;
  result.sides.resize(3);
  const auto pair = [](size_t base, size_t candidate, std::optional<Verdict> verdict) {
    Comparison comparison{.base = base, .candidate = candidate};
    comparison.model = compared("model", 1, Ratio{}, verdict);
    return comparison;
  };
  result.comparisons = {pair(0, 1, b_to_a), pair(0, 2, c_to_a), pair(1, 2, c_to_b)};
  return winner_text(model_standing(result), {"a", "b", "c"});
}

TEST(Standing, NamesWhoIsFasterThanAllOthers) {
  EXPECT_EQ(winner(Verdict::kSlower, Verdict::kSlower, Verdict::kSame), "a");
  EXPECT_EQ(winner(Verdict::kFaster, Verdict::kSame, Verdict::kSlower), "b");
  EXPECT_EQ(winner(Verdict::kSlower, Verdict::kFaster, std::nullopt), "c")
      << "c is ahead of a, which is ahead of b";
}

TEST(Standing, TellsATieFromWhatIsNotKnown) {
  EXPECT_EQ(winner(Verdict::kSame, Verdict::kSame, Verdict::kSame), "tie");
  EXPECT_EQ(winner(Verdict::kSame, Verdict::kSlower, Verdict::kSlower), "tie: a, b");
  EXPECT_EQ(winner(Verdict::kSame, Verdict::kSame, Verdict::kInconclusive), "?");
  EXPECT_EQ(winner(Verdict::kInconclusive, Verdict::kSlower, Verdict::kSlower), "a or b");
  EXPECT_EQ(winner(std::nullopt, std::nullopt, std::nullopt), "?");
  EXPECT_EQ(winner(Verdict::kFaster, Verdict::kSlower, Verdict::kFaster), "?")
      << "each ahead of the next";
}

TEST(Standing, NamesNoWinnerWhereTheVerdictIsInconclusive) {
  CompareResult result;
  result.sides.resize(3);
  const auto pair = [](size_t base, size_t candidate, double ratio, Verdict verdict) {
    Comparison comparison{.base = base, .candidate = candidate};
    comparison.model = compared("model", 1, Ratio{ratio, ratio - 0.05, ratio + 0.05}, verdict);
    return comparison;
  };
  const auto text = [&] { return winner_text(model_standing(result), {"a", "b", "c"}); };
  result.comparisons = {pair(0, 1, 1.5, Verdict::kInconclusive), pair(0, 2, 1.5, Verdict::kSlower)};
  result.among_new = {pair(1, 2, 1.0, Verdict::kSame)};
  EXPECT_EQ(text(), "a or b") << "chance among many units may explain 1.5";
  result.comparisons[0] = pair(0, 1, 1.5, Verdict::kSlower);
  result.comparisons[1] = pair(0, 2, 1.5, Verdict::kInconclusive);
  result.among_new = {pair(1, 2, 1.5, Verdict::kSlower)};
  EXPECT_EQ(text(), "a or c") << "what a and c are to b does not decide between them";
}

/// The model's winner of three sides by ratios alone, as where times are too short for verdicts.
std::string winner_by(Ratio b_to_a, Ratio c_to_a, Ratio c_to_b, double floor_ms = 0) {
  CompareResult result;
  result.sides.resize(3);
  for (ComparedVariant& side : result.sides) side.call_floor_ms = floor_ms;
  const auto pair = [](size_t base, size_t candidate, double base_ms, const Ratio& ratio) {
    Comparison comparison{.base = base, .candidate = candidate};
    comparison.model = compared("model", base_ms, ratio, std::nullopt);
    return comparison;
  };
  result.comparisons = {pair(0, 1, 0.1, b_to_a), pair(0, 2, 0.1, c_to_a)};
  result.among_new = {pair(1, 2, 0.1 * b_to_a.median, c_to_b)};
  return winner_text(model_standing(result), {"a", "b", "c"});
}

TEST(Standing, OrdersByIntervalsWhereThereAreNoVerdicts) {
  const Ratio much_less{0.14, 0.13, 0.15};
  const Ratio less{0.5, 0.45, 0.55};
  const Ratio more{3, 2.5, 3.5};
  const Ratio open{1.01, 0.9, 1.1};
  EXPECT_EQ(winner_by(much_less, less, more), "b");
  EXPECT_EQ(winner_by(open, more, more), "a or b");
  EXPECT_EQ(winner_by(less, less, open), "b or c");
  EXPECT_EQ(winner_by(open, open, open), "?");
}

TEST(Standing, OrdersNoTimesOfOtherClocks) {
  CompareResult result;
  result.sides.resize(2);
  Comparison pair{.base = 0, .candidate = 1};
  pair.model = compared("model", 1, Ratio{0.5, 0.45, 0.55}, std::nullopt);
  result.comparisons = {pair};
  EXPECT_EQ(winner_text(model_standing(result), {"a", "b"}), "b");
  result.comparisons[0].model.candidate->clock = TimeClock::kSimulated;
  EXPECT_EQ(winner_text(model_standing(result), {"a", "b"}), "?");
}

TEST(Standing, LeavesOpenWhatTheCostOfACallMayExplain) {
  const Ratio less{0.5, 0.45, 0.55};
  const Ratio more{2, 1.8, 2.2};
  EXPECT_EQ(winner_by(less, more, more, 0.01), "b");
  EXPECT_EQ(winner_by(less, more, more, 0.06), "a or b") << "0.1 ms and 0.05 ms, 0.06 ms a call";
}

TEST(Standing, FindsAUnitInEveryPairAndLeavesOutWhoFailed) {
  CompareResult result = sample_of_three();
  std::swap(result.comparisons[2].units[0], result.comparisons[2].units[1]);
  CompareUnit& failed = result.comparisons[0].units[1];
  failed.base.reset();
  failed.verdict.reset();
  CompareUnit& failed_too = result.comparisons[1].units[1];
  failed_too.base.reset();
  failed_too.verdict.reset();
  const std::vector<Standing> standings = unit_standings(result);
  ASSERT_EQ(standings.size(), 3U);
  EXPECT_THAT(standings[0].tied, ElementsAre(1, 2));
  EXPECT_EQ(standings[1].identity.operator_text, "gemm");
  EXPECT_EQ(standings[1].winner, 1U);
  EXPECT_FALSE(standings[1].median_ms[0]);
}

TEST(Standing, HasNoWinnerWhereOnlyOneRan) {
  CompareResult result = sample_compare();
  EXPECT_FALSE(unit_standings(result)[5].winner);
  EXPECT_EQ(winner_text(unit_standings(result)[5], {"a", "b"}), "?");
}

}  // namespace
}  // namespace opbench
