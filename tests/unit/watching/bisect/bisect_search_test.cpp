#include "watching/bisect/bisect_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bisect_trials.h"
#include "test_form.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kQuiet = 0.001;

bool is_narrowed_to(const BisectAnswer& answer, const TrueRange& range) {
  if (range.culprit <= answer.last_old || range.culprit > answer.first_new) return false;
  for (size_t at = answer.last_old + 1; at < answer.first_new; ++at) {
    if (range.is_buildable[at]) return false;
  }
  return true;
}

TEST(BisectSearch, FindsEveryCulpritOfEveryLength) {
  Random random(1);
  for (size_t commits = 2; commits <= 40; ++commits) {
    for (size_t culprit = 1; culprit < commits; ++culprit) {
      const BisectState state = bisected(plain_range(commits, culprit, 0.05, kQuiet), random);
      const BisectAnswer answer = answer_of(state);
      ASSERT_EQ(answer.outcome, BisectOutcome::kFound) << commits << " " << culprit;
      ASSERT_EQ(answer.last_old + 1, culprit);
      ASSERT_EQ(answer.first_new, culprit);
      int builds = 2;
      for (size_t at = 1; at + 1 < commits; ++at) {
        builds += state.commits[at].log_ratios.empty() ? 0 : 1;
      }
      EXPECT_LE(builds, most_builds(commits)) << commits << " " << culprit;
    }
  }
}

TEST(BisectSearch, NamesTheSmallestRangeWhateverDoesNotBuild) {
  constexpr size_t kCommits = 9;
  Random random(2);
  for (size_t culprit = 1; culprit < kCommits; ++culprit) {
    for (uint32_t broken = 0; broken < 128; ++broken) {
      TrueRange range = plain_range(kCommits, culprit, -0.04, kQuiet);
      for (size_t at = 1; at + 1 < kCommits; ++at) {
        range.is_buildable[at] = (broken >> (at - 1) & 1) == 0;
      }
      const BisectAnswer answer = answer_of(bisected(range, random));
      ASSERT_TRUE(is_narrowed_to(answer, range)) << culprit << " " << broken;
      const bool is_one = answer.first_new - answer.last_old == 1;
      EXPECT_EQ(answer.outcome, is_one ? BisectOutcome::kFound : BisectOutcome::kRange);
    }
  }
}

TEST(BisectSearch, MeasuresTheEffectOfTheEndsFirst) {
  BisectState state = begun(9);
  EXPECT_EQ(next_step(state), (BisectStep{0, 8, 40}));
  add_pairs({0, 8, 40}, std::vector<double>(30, 0.05), state);
  EXPECT_EQ(next_step(state), (BisectStep{0, 8, 10}));
  add_pairs({0, 8, 10}, std::vector<double>(10, 0.05), state);
  EXPECT_EQ(next_step(state), (BisectStep{0, 4, 4}));
}

TEST(BisectSearch, SaysWhereTheEndsDoNotDiffer) {
  Random random(3);
  const BisectAnswer same = answer_of(bisected(plain_range(9, 4, 0.0, 0.01), random));
  EXPECT_EQ(same.outcome, BisectOutcome::kNoEffect);
  EXPECT_EQ(same.pairs, 160);
  // Builds of the same code differ by as much.
  const BisectAnswer luck = answer_of(bisected(plain_range(9, 4, 0.004, 0.0005), random));
  EXPECT_EQ(luck.outcome, BisectOutcome::kNoEffect);
  EXPECT_EQ(luck.pairs, 40);
}

TEST(BisectSearch, KeepsWhatCannotBeTold) {
  Random random(4);
  // A half of the effect at commit 2, the other at commit 6: those between are neither.
  TrueRange range = plain_range(9, 6, 0.02, kQuiet);
  for (size_t at = 2; at < 9; ++at) range.luck[at] = 0.02;
  const BisectAnswer answer = answer_of(bisected(range, random));
  EXPECT_EQ(answer.outcome, BisectOutcome::kRange);
  EXPECT_EQ(answer.last_old, 1U);
  EXPECT_EQ(answer.first_new, 6U);
  EXPECT_THAT(answer.unknown, ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(answer.between, ElementsAre(2, 3, 4, 5));
}

TEST(BisectSearch, TellsThePartOfTheEffectThatTheCulpritHas) {
  Random random(5);
  TrueRange range = plain_range(9, 5, 0.03, kQuiet);
  for (size_t at = 2; at < 9; ++at) range.luck[at] = 0.01;
  const BisectAnswer answer = answer_of(bisected(range, random));
  EXPECT_EQ(answer.outcome, BisectOutcome::kFound);
  EXPECT_EQ(answer.first_new, 5U);
  EXPECT_NEAR(answer.effect->value, 0.03, 0.002);
  EXPECT_NEAR(answer.ends.value, 0.04, 0.001);
  EXPECT_NEAR(share_of_effect(answer), 0.75, 0.05);
}

TEST(BisectSearch, LooksAtTheCulpritBesideTheCommitBeforeIt) {
  Random random(6);
  const BisectState state = bisected(plain_range(9, 6, 0.05, kQuiet), random);
  EXPECT_EQ(state.direct.before, 5U);
  EXPECT_EQ(state.direct.after, 6U);
  EXPECT_EQ(state.direct.log_ratios.size(), 20U);
  // A wrong answer on a commit comes to light there.
  BisectState wrong = state;
  for (double& ratio : wrong.direct.log_ratios) ratio -= 0.05;
  while (const auto step = next_step(wrong)) {
    take_step(*step, plain_range(9, 8, 0.05, kQuiet), random, wrong);
  }
  EXPECT_EQ(answer_of(wrong).outcome, BisectOutcome::kUnsure);
}

TEST(BisectSearch, EndsWhereAnEndIsSkipped) {
  BisectState state = begun(5);
  state.commits.back().skipped = "does not build";
  EXPECT_EQ(next_step(state), std::nullopt);
}

/// Shares and pairs over many ranges of 8 to 64 commits.
struct Tally {
  int tries = 0, right = 0, wrong = 0;
  double pairs = 0;  ///< in the mean, without those of the ends
};

Tally tally(double effect, double noise, int tries) {
  Random random(7);
  BisectRule rule;
  rule.direct_pairs = 0;
  Tally tally;
  for (const size_t length : {8U, 16U, 32U, 64U}) {
    for (int i = 0; i < tries; ++i, ++tally.tries) {
      const TrueRange range = drawn_range(length + 1, effect, noise, random);
      const BisectState state = bisected(range, random, rule);
      const BisectAnswer answer = answer_of(state);
      const bool is_told = answer.outcome != BisectOutcome::kNoEffect;
      const bool is_right = is_told && is_narrowed_to(answer, range);
      const bool is_inside = range.culprit > answer.last_old && range.culprit <= answer.first_new;
      tally.right += is_right ? 1 : 0;
      tally.wrong += is_told && !is_inside ? 1 : 0;
      const auto ends = std::ssize(state.commits.back().log_ratios);
      tally.pairs += static_cast<double>(answer.pairs - ends);
    }
  }
  tally.pairs /= tally.tries;
  return tally;
}

TEST(BisectSearch, FindsCulpritsInNoiseWithFewPairs) {
  struct Case {
    double effect, noise, right, pairs;
  };
  const int tries = by_form(40, 300);
  for (const Case& expected :
       {Case{0.02, 0.005, 0.995, 20}, Case{0.02, 0.01, 0.975, 33}, Case{0.03, 0.01, 0.99, 20},
        Case{0.02, 0.03, 0.85, 230}, Case{0.05, 0.03, 0.98, 38}}) {
    const Tally found = tally(expected.effect, expected.noise, tries);
    EXPECT_GE(found.right, expected.right * found.tries)
        << expected.effect << " " << expected.noise;
    EXPECT_LE(found.wrong, 0.03 * found.tries) << expected.effect << " " << expected.noise;
    EXPECT_LE(found.pairs, expected.pairs) << expected.effect << " " << expected.noise;
  }
}

TEST(BisectSearch, IsNotMisledByAFewDisturbedPairs) {
  Random random(8);
  const TrueRange range = plain_range(17, 11, 0.03, 0.005);
  int right = 0;
  constexpr int kTries = 40;
  for (int i = 0; i < kTries; ++i) {
    BisectState state = begun(17);
    while (const auto step = next_step(state)) {
      const double centre = true_log_time(range, step->after) - true_log_time(range, step->before);
      std::vector<double> ratios;
      for (int pair = 0; pair < step->pairs; ++pair) {
        const double burst = random.uniform() < 0.03 ? 0.3 : 0;
        ratios.push_back(centre + burst + range.noise * static_cast<double>(random.normal()));
      }
      add_pairs(*step, ratios, state);
    }
    right += answer_of(state).first_new == 11 && answer_of(state).last_old == 10 ? 1 : 0;
  }
  EXPECT_GE(right, 36);
}

TEST(BisectSearch, GoesOnFromWhatIsKnown) {
  // The next step follows from the state: breaking off anywhere changes nothing.
  Random random(9);
  const TrueRange range = drawn_range(33, 0.04, kQuiet, random);
  BisectState state = begun(33);
  while (const auto step = next_step(state)) {
    const BisectState copy = state;
    EXPECT_EQ(next_step(copy), step);
    take_step(*step, range, random, state);
  }
  EXPECT_EQ(answer_of(state).outcome, answer_of(BisectState(state)).outcome);
}

}  // namespace
}  // namespace opbench
