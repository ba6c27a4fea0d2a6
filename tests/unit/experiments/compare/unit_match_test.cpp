#include "experiments/compare/unit_match.h"

#include <gtest/gtest.h>

#include "variant_example.h"

namespace opbench {
namespace {

TEST(MatchUnits, FindsEqualUnitsOnEverySide) {
  const PreparedVariant base = example_variant();
  PreparedVariant other = example_variant();
  std::swap(other.units[0], other.units[1]);
  const auto rows = match_units({&base, &other});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].units, (std::vector<std::optional<size_t>>{0, 1}));
  EXPECT_EQ(rows[0].count, 2);
  EXPECT_EQ(rows[0].nodes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(rows[1].units, (std::vector<std::optional<size_t>>{1, 0}));
  EXPECT_EQ(rows[2].units, (std::vector<std::optional<size_t>>{2, 2}));
}

TEST(MatchUnits, SplitsARowThatTheOtherSideRunsInTwoWays) {
  const PreparedVariant base = example_variant();
  PreparedVariant other = example_variant();
  other.units[0].identity.nodes = {"a"};
  other.units[0].count = 1;
  VariantUnit second = other.units[0];
  second.identity.nodes = {"b"};
  other.units.push_back(second);
  const auto rows = match_units({&base, &other});
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].count, 1);
  EXPECT_EQ(rows[1].count, 1);
  EXPECT_NE(rows[0].units[1], rows[1].units[1]);
}

TEST(MatchUnits, SaysWhatTheOtherSideRunsInstead) {
  const PreparedVariant base = example_variant();
  PreparedVariant other = example_variant();
  other.units[0].identity.operator_text = "conv2d+relu";
  other.units[0].identity.texts.workload += "; relu";
  other.units[0].identity.nodes = {"a", "b", "c"};
  other.units.erase(other.units.begin() + 1, other.units.end());
  const auto rows = match_units({&base, &other});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_FALSE(rows[0].units[1]);
  EXPECT_EQ(rows[0].reasons[1], "the new variant runs its nodes as conv2d+relu");
  EXPECT_EQ(rows[2].reasons[1], "the new variant makes no such conversion");
}

TEST(MatchUnits, ComparesOperatorsWhereTheBatchDiffers) {
  const PreparedVariant base = example_variant();
  PreparedVariant other = example_variant();
  other.info.batch_size = 8;
  for (VariantUnit& unit : other.units) unit.identity.texts.workload += " of eight";
  EXPECT_EQ(match_units({&base, &other})[0].units[1], 0U);
}

TEST(IncomparableFields, AreNoneForEqualSides) {
  EXPECT_TRUE(incomparable_fields(example_variant(), example_variant()).empty());
}

TEST(IncomparableFields, NameModelShapesAndTypes) {
  PreparedVariant other = example_variant();
  other.model = "other";
  other.inputs[0].shape = {1, 8, 4, 5};
  other.outputs[0].data_type = "float16";
  EXPECT_EQ(incomparable_fields(example_variant(), other),
            (std::vector<std::string>{R"(model: "example" and "other")",
                                      "input shapes: 1x8x4x4 and 1x8x4x5",
                                      "output types: float32 and float16"}));
}

TEST(IncomparableFields, LeaveOutABatchThatWasAskedFor) {
  PreparedVariant other = example_variant();
  other.info.batch_size = 8;
  other.sha256 = "of another batch";
  other.inputs[0].shape[0] = other.outputs[0].shape[0] = 8;
  EXPECT_TRUE(incomparable_fields(example_variant(), other).empty());
  other.inputs[0].shape[2] = 5;
  EXPECT_EQ(incomparable_fields(example_variant(), other),
            (std::vector<std::string>{"input shapes: Nx8x4x4 and Nx8x5x4"}));
}

TEST(IncomparableFields, NoticeAModelOfTheSameNameWithOtherContent) {
  PreparedVariant other = example_variant();
  other.sha256 = "fedcba9876543210";
  EXPECT_EQ(incomparable_fields(example_variant(), other),
            (std::vector<std::string>{"content (sha256): 0123456789ab and fedcba987654"}));
}

TEST(DifferencesOf, NameLibrariesOfTheSameEngine) {
  PreparedVariant other = example_variant();
  other.info.versions["halide"] = "15";
  other.info.threads = 2;
  other.info.cpus = {0, 1};
  EXPECT_EQ(differences_of(example_variant(), other),
            (std::vector<std::string>{"halide: 14 and 15", "threads: 1 and 2", "CPUs: 0 and 0,1"}));
}

TEST(DifferencesOf, NameKernelsByTheirConfigsAndNotByTheirLogs) {
  PreparedVariant base = example_variant();
  PreparedVariant other = example_variant();
  base.info.kernels = {{"relu 1x4", "rows tile=4 (a.log:1)"},
                       {"relu 1x8", "rows tile=2 (a.log:2)"}};
  other.info.kernels = {{"relu 1x4", "rows tile=4 (b.log:7)"}};
  EXPECT_EQ(differences_of(base, other),
            (std::vector<std::string>{
                "kernel of relu 1x8: rows tile=2 (a.log:2) and the default config"}));
}

}  // namespace
}  // namespace opbench
