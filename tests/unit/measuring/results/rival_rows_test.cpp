#include "measuring/results/rival_rows.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

UnitResult unit_of(const std::string& text, std::vector<UnitOccurrence> occurrences) {
  UnitResult unit{.identity = {.operator_text = text}};
  unit.count = static_cast<int64_t>(occurrences.size());
  for (const UnitOccurrence& one : occurrences) {
    unit.identity.nodes.insert(unit.identity.nodes.end(), one.nodes.begin(), one.nodes.end());
    unit.in_place_ms = one.in_place_ms;
  }
  unit.occurrences = std::move(occurrences);
  return unit;
}

TEST(Rivals, StandSideBySideWhereTheirUnitsAreEqual) {
  EngineResult a{.engine = "a"};
  a.units = {unit_of("conv", {{{"c1"}, 2}, {{"c2"}, 3}}), unit_of("pool", {{{"p"}, 7}})};
  EngineResult b{.engine = "b"};
  b.units = {unit_of("Conv", {{{"c2"}, 4}, {{"c1"}, 6}}), unit_of("Pool", {{{"p"}, 1}})};
  const auto rivals = rivals_of({&a, &b});
  ASSERT_TRUE(rivals);
  ASSERT_EQ(rivals->rows.size(), 2U);
  EXPECT_EQ(rivals->rows[0].units, (std::vector<std::vector<size_t>>{{1}, {1}}));
  EXPECT_EQ(rivals->rows[1].count, 2);
  EXPECT_EQ(rivals->rows[1].total_ms, (std::vector<std::optional<double>>{5, 10}));
}

TEST(Rivals, AreMatchedByWholeUnitsWhereEnginesFuseDifferently) {
  EngineResult a{.engine = "a"};
  a.units = {unit_of("conv+relu", {{{"c1", "r1"}, 2}, {{"c2", "r2"}, 2}})};
  EngineResult b{.engine = "b"};
  b.units = {unit_of("conv", {{{"c1"}, 1}, {{"c2"}, 1}}),
             unit_of("relu", {{{"r1"}, 0.5}, {{"r2"}, 0.5}})};
  const auto rivals = rivals_of({&a, &b});
  ASSERT_TRUE(rivals);
  ASSERT_EQ(rivals->rows.size(), 1U);
  EXPECT_EQ(rivals->rows[0].count, 2);
  EXPECT_EQ(rivals->rows[0].units, (std::vector<std::vector<size_t>>{{0}, {0, 1}}));
  EXPECT_EQ(rivals->rows[0].total_ms, (std::vector<std::optional<double>>{4, 3}));
}

TEST(Rivals, SplitARowOfWhichAnotherEngineRunsSomePlacesInAnotherWay) {
  EngineResult a{.engine = "a"};
  a.units = {unit_of("conv", {{{"c1"}, 2}, {{"c2"}, 3}})};
  EngineResult b{.engine = "b"};
  b.units = {unit_of("direct", {{{"c1"}, 4}}), unit_of("winograd", {{{"c2"}, 1}})};
  const auto rivals = rivals_of({&a, &b});
  ASSERT_TRUE(rivals);
  ASSERT_EQ(rivals->rows.size(), 2U);
  EXPECT_EQ(rivals->rows[0].total_ms, (std::vector<std::optional<double>>{3, 1}));
  EXPECT_EQ(rivals->rows[1].total_ms, (std::vector<std::optional<double>>{2, 4}));
}

TEST(Rivals, KeepWhatOneEngineAloneDoesAsRowsOfTheirOwn) {
  EngineResult a{.engine = "a"};
  a.units = {unit_of("conv", {{{"c"}, 2}}), unit_of("to NCHW16c", {{{}, 1}, {{}, 1}})};
  EngineResult b{.engine = "b"};
  b.units = {unit_of("Conv", {{{"c"}, 4}})};
  const auto rivals = rivals_of({&a, &b});
  ASSERT_TRUE(rivals);
  ASSERT_EQ(rivals->rows.size(), 2U);
  EXPECT_EQ(rivals->rows[1].count, 2);
  EXPECT_EQ(rivals->rows[1].total_ms, (std::vector<std::optional<double>>{2, {}}));
}

TEST(Rivals, AreHeldAgainstEachOtherAloneWhereOneHasNoTimesInPlace) {
  EngineResult a{.engine = "a"};
  a.units = {unit_of("conv", {{{"c1"}, 2}, {{"c2"}, 2}})};
  Measurement alone;
  alone.median_ms = 1.5;
  a.units[0].time = alone;
  EngineResult b{.engine = "b"};
  b.units = {unit_of("conv", {{{"c1"}, {}}, {{"c2"}, {}}})};
  alone.median_ms = 4;
  b.units[0].time = alone;
  const auto rivals = rivals_of({&a, &b});
  ASSERT_TRUE(rivals);
  EXPECT_EQ(rivals->places, std::vector<TimePlace>(2, TimePlace::kAlone));
  EXPECT_EQ(rivals->rows[0].total_ms, (std::vector<std::optional<double>>{3, 8}));
}

TEST(Rivals, AreNoneWhereNothingMatches) {
  EngineResult a{.engine = "a"};
  a.units = {unit_of("conv", {{{"c"}, 2}})};
  EngineResult b{.engine = "b"};
  EXPECT_FALSE(rivals_of({&a, &b}));
}

}  // namespace
}  // namespace opbench
