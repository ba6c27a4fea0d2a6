#include "tuning/tuners/annealing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/space/space_builder.h"

namespace opbench {
namespace {

ConfigSpace cube(int64_t side, int knobs) {
  SpaceBuilder builder;
  std::vector<int64_t> values;
  for (int64_t v = 0; v < side; ++v) values.push_back(v);
  for (int k = 0; k < knobs; ++k) builder.define_option("k" + std::to_string(k), values);
  return *std::move(builder).finish();
}

class AnnealingTest : public testing::Test {
 protected:
  /// Highest where every digit is 13.
  std::vector<float> hill(const std::vector<uint64_t>& configs) {
    std::vector<float> scores;
    for (const uint64_t config : configs) {
      float away = 0;
      const std::vector<size_t> digits = *digits_of(space_, config);
      for (const size_t digit : digits) {
        away += std::abs(static_cast<float>(digit) - 13.0F);
      }
      scores.push_back(1 - away / 20);
    }
    looked_at_ += configs.size();
    return scores;
  }

  std::vector<uint64_t> best(size_t count, const std::unordered_set<uint64_t>& excluded,
                             uint64_t seed = 1) {
    Random random(seed);
    Annealing annealing(space_, size_, random);
    return annealing.best_configs([this](const auto& configs) { return hill(configs); }, count,
                                  excluded);
  }

  const ConfigSpace space_ = cube(20, 5);
  const uint64_t size_ = *size_of(space_);
  const uint64_t top_ = index_of(space_, std::vector<size_t>{13, 13, 13, 13, 13});
  size_t looked_at_ = 0;
};

TEST_F(AnnealingTest, FindsTheHighestOfMillionsOfConfigs) {
  for (uint64_t seed = 0; seed < 5; ++seed) EXPECT_EQ(best(64, {}, seed).front(), top_);
  EXPECT_EQ(size_, 3'200'000);
  EXPECT_LT(looked_at_, 5 * 501 * 128 + 1);
}

TEST_F(AnnealingTest, GivesDistinctConfigsTheBestFirst) {
  const std::vector<uint64_t> configs = best(64, {});
  EXPECT_EQ(configs.size(), 64);
  EXPECT_EQ(std::set<uint64_t>(configs.begin(), configs.end()).size(), 64);
  const std::vector<float> scores = hill(configs);
  EXPECT_TRUE(std::ranges::is_sorted(scores, std::ranges::greater()));
  EXPECT_GT(scores.back(), 0.8F);
}

TEST_F(AnnealingTest, LeavesOutWhatIsExcluded) {
  const std::vector<uint64_t> first = best(64, {});
  const std::unordered_set<uint64_t> excluded(first.begin(), first.end());
  for (const uint64_t config : best(64, excluded)) EXPECT_FALSE(excluded.contains(config));
}

TEST_F(AnnealingTest, EndsEarlyWhenNothingBetterIsMet) {
  const ConfigSpace small = cube(2, 3);
  Random random(1);
  Annealing annealing(small, 8, random);
  size_t calls = 0;
  const auto flat = [&](const std::vector<uint64_t>& configs) {
    ++calls;
    EXPECT_EQ(configs.size(), 8);  // no more walkers than configs
    return std::vector<float>(configs.size(), 1.0F);
  };
  EXPECT_EQ(annealing.best_configs(flat, 64, {}).size(), 8);
  EXPECT_EQ(calls, 1 + 50);
}

TEST_F(AnnealingTest, TakesASpaceOfOneConfig) {
  const ConfigSpace one = cube(1, 2);
  Random random(1);
  Annealing annealing(one, 1, random);
  const auto flat = [](const auto& configs) { return std::vector<float>(configs.size(), 0.0F); };
  EXPECT_EQ(annealing.best_configs(flat, 64, {}), std::vector<uint64_t>{0});
}

}  // namespace
}  // namespace opbench
