#include "experiments/interference/corun_item.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "experiments/interference/heavy_units.h"
#include "experiments/interference/neighbour_levels.h"

namespace opbench {
namespace {

using KindOfCorunItem = CorunParty::Kind;

constexpr size_t kUnits = 3, kLevels = 2, kProbe = 1;

std::vector<SlowdownRound> steady_rounds(size_t count, double slowdown) {
  return std::vector<SlowdownRound>(count, {{1, 1}, {slowdown, 1}});
}

bool is_pair(const CorunItem& item) {
  return item.parties[0].kind == KindOfCorunItem::kUnit &&
         item.parties[1].kind == KindOfCorunItem::kUnit;
}

TEST(CorunItems, GrowWithUnitsBesideLevelsAndWithPairsOnlyWhereTheyAreWanted) {
  const auto without = corun_items(kUnits, kLevels, kProbe, false);
  EXPECT_EQ(without.size(), 1 + kLevels + kUnits * kLevels);
  const auto with = corun_items(kUnits, kLevels, kProbe, true);
  EXPECT_EQ(with.size(), without.size() + kUnits * (kUnits + 1) / 2);
  EXPECT_EQ(with[0].parties[0].kind, KindOfCorunItem::kCompute);
  EXPECT_EQ(with[1].parties[0], (CorunParty{KindOfCorunItem::kLevel, kProbe}));
}

TEST(CorunItems, HoldEveryPairOnceAndEachUnitBesideItself) {
  std::set<std::pair<size_t, size_t>> pairs;
  for (const CorunItem& item : corun_items(kUnits, kLevels, kProbe, true)) {
    if (is_pair(item)) pairs.insert({item.parties[0].index, item.parties[1].index});
  }
  EXPECT_EQ(pairs.size(), 6U);
  for (const auto& [first, second] : pairs) EXPECT_LE(first, second);
}

TEST(PassOrder, BeginsWithTheNeighbourAndDependsOnSeedAndPassAlone) {
  const auto items = corun_items(kUnits, kLevels, kProbe, true);
  const auto order = pass_order(items, 0, 0.02, 5);
  EXPECT_EQ(order.size(), items.size());
  EXPECT_EQ(std::set<size_t>(order.begin(), order.end()).size(), items.size());
  EXPECT_TRUE(std::ranges::is_partitioned(order, [&](size_t at) { return !is_pair(items[at]); }));
  EXPECT_EQ(order, pass_order(items, 0, 0.02, 5));
  EXPECT_NE(order, pass_order(items, 1, 0.02, 5));
  EXPECT_NE(order, pass_order(items, 0, 0.02, 6));
}

TEST(PassOrder, LeavesOutWhatIsDone) {
  auto items = corun_items(kUnits, kLevels, kProbe, true);
  items[0].rounds = steady_rounds(10, 1.2);
  items[1].failure = Failure{};
  items[2].rounds = steady_rounds(9, 1.2);
  const auto order = pass_order(items, 0, 0.02, 5);
  EXPECT_EQ(order.size(), items.size() - 2);
  EXPECT_EQ(std::ranges::count(order, 2U), 1);
}

TEST(IsDone, WantsNarrowIntervalsOfBothSides) {
  CorunItem item;
  for (int i = 0; i < 12; ++i) item.rounds.push_back({{1, 1}, {1.2, i % 2 == 0 ? 1.0 : 1.5}});
  EXPECT_FALSE(is_done(item, 0.02, 1));
  EXPECT_TRUE(is_done(item, 0.5, 1));
}

TEST(UnitKey, GoesOnAfterZ) {
  EXPECT_EQ(unit_key(0), "A");
  EXPECT_EQ(unit_key(25), "Z");
  EXPECT_EQ(unit_key(26), "AA");
  EXPECT_EQ(unit_key(27), "AB");
  EXPECT_EQ(unit_key(52), "BA");
}

TEST(NeighbourLevels, HaveOneProbeAndGrowFromTheCacheToMemory) {
  Topology topology;
  topology.caches = {{.level = 3, .bytes = int64_t{8} << 20, .cpus = {0, 1}}};
  const auto levels = neighbour_levels(topology, 0);
  EXPECT_EQ(std::ranges::count(levels, true, &InterferenceLevel::is_probe), 1);
  EXPECT_EQ(levels[probe_of(levels)].bytes, int64_t{4} << 20);
  EXPECT_TRUE(std::ranges::is_sorted(levels, {}, &InterferenceLevel::bytes));
  EXPECT_EQ(levels.back().bytes, int64_t{32} << 20);
  EXPECT_FALSE(neighbour_levels(Topology(), 0).empty());
}

TEST(NeighbourLevels, AreNamedBySizeAndDuty) {
  EXPECT_EQ(level_name(int64_t{16} << 20, 1), "16 MiB");
  EXPECT_EQ(level_name(int64_t{16} << 20, 0.5), "16 MiB at 50 %");
  EXPECT_EQ(level_name(512 << 10, 1), "512 KiB");
}

}  // namespace
}  // namespace opbench
