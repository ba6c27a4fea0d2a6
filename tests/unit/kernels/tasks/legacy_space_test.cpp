#include "kernels/tasks/legacy_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task_maker.h"

namespace opbench {
namespace {

using test::dense;
using test::ints;
using test::nchwc_conv;
using test::plain_conv;
using test::word;
using testing::ElementsAre;
using testing::IsEmpty;

Task task_of(const std::string& name, const std::vector<Argument>& arguments,
             const std::string& kind = "llvm") {
  return {name, arguments, Target{.kind = kind}};
}

KnobConfig legacy_space_config_of(const Task& task, uint64_t index) {
  return config_at(space_of(task).value(), index).value();
}

TEST(LegacySpace, IsTodaysForTodaysRecords) {
  const Task task = task_of("conv2d_NCHWc.x86", nchwc_conv({64, 56, 64, 3, 1, 1}));
  for (const uint64_t index : {0, 17, 979}) {
    const auto logged = logged_space(task, legacy_space_config_of(task, index)).value();
    EXPECT_TRUE(logged.is_consistent);
    EXPECT_THAT(logged.rules, IsEmpty());
  }
}

TEST(LegacySpace, FreesOuterExtents) {
  const Task task = task_of("dense_pack.x86", dense(128, 768, 768));
  const KnobConfig wanted = legacy_space_config_of(task, 4711);
  KnobConfig old = wanted;
  for (KnobValue& knob : old.knobs) knob.value.items[0] = Argument::of_int(24);
  const auto logged = logged_space(task, old).value();
  EXPECT_TRUE(logged.is_consistent);
  EXPECT_EQ(logged.config, wanted);
  EXPECT_THAT(logged.rules, ElementsAre(LegacyRule::kOuterExtents));
}

TEST(LegacySpace, LetsTheEntitiesCountWhereTheIndexIsWrong) {
  const Task task = task_of("dense_pack.x86", dense(128, 768, 768));
  KnobConfig config = legacy_space_config_of(task, 4711);
  config.index = 4712;
  const auto logged = logged_space(task, config).value();
  EXPECT_FALSE(logged.is_consistent);
  EXPECT_EQ(index_of(logged.space, logged.config).value(), 4711u);
}

TEST(LegacySpace, TellsTheWidthsPolicyByTheIndex) {
  const Task task = task_of("conv2d_NCHWc.x86", nchwc_conv({3, 224, 64, 7, 2, 3}));
  KnobConfig config = legacy_space_config_of(task, 0);
  config.knobs[2].value = ints({-1, 8});  // the fourth divisor of 112, not the fourth of `verbose`
  config.index = 2 * 7 * 4;
  const auto old = logged_space(task, config).value();
  EXPECT_TRUE(old.is_consistent);
  EXPECT_THAT(old.rules, ElementsAre(LegacyRule::kWidthByFactors));
  EXPECT_EQ(old.space.knobs[2].entities.size(), 9u);
}

TEST(LegacySpace, SwapsTheNamesOfReductionsAndNotTheirAxes) {
  auto arguments = plain_conv({16, 14, 16, 3, 1, 1});
  arguments[1] = test::tensor({16, 16, 1, 7});
  const Task task = task_of("conv2d_nchw.cuda", arguments, "cuda");
  KnobConfig config = legacy_space_config_of(task, 12345);
  std::swap(config.knobs[4].name, config.knobs[5].name);
  const auto logged = logged_space(task, config).value();
  EXPECT_TRUE(logged.is_consistent);
  EXPECT_THAT(logged.rules, ElementsAre(LegacyRule::kSwappedReductions));
  EXPECT_EQ(logged.space.knobs[4].name, "tile_rx");
  EXPECT_EQ(logged.space.knobs[4].product, 1);
}

TEST(LegacySpace, KnowsTheKnobsOfOldDenseLayers) {
  const Task nopack = task_of("dense_nopack.x86", dense(4, 1000, 512));
  const ConfigSpace today = space_of(nopack).value();
  KnobConfig first = legacy_space_config_of(nopack, 0);
  std::swap(first.knobs[0], first.knobs[1]);
  first.knobs[0].value = today.knobs[1].entities[5];
  first.knobs[1].value = today.knobs[0].entities[2];
  first.index = 5 + 2 * today.knobs[1].entities.size();
  const auto columns = logged_space(nopack, first).value();
  EXPECT_TRUE(columns.is_consistent);
  EXPECT_THAT(columns.rules, ElementsAre(LegacyRule::kColumnsFirst));

  const Task pack = task_of("dense_pack.x86", dense(4, 1000, 512));
  KnobConfig second = legacy_space_config_of(pack, 33);
  second.knobs.pop_back();
  const auto without = logged_space(pack, second).value();
  EXPECT_TRUE(without.is_consistent);
  EXPECT_THAT(without.rules, ElementsAre(LegacyRule::kNoInnerTile));
}

TEST(LegacySpace, LetsRocmHaveHintsWhereItsLogCountsWithThem) {
  const auto arguments = plain_conv({16, 14, 16, 3, 1, 1});
  const Task tuned = task_of("conv2d_nchw.cuda", arguments, "opencl");
  const Task labelled = task_of("conv2d_nchw.cuda", arguments, "rocm");
  const KnobConfig config = legacy_space_config_of(tuned, 33);
  EXPECT_EQ(config.knobs.back().value, Argument::of_int(0));
  const auto logged = logged_space(labelled, config).value();
  EXPECT_TRUE(logged.is_consistent);
  EXPECT_THAT(logged.rules, ElementsAre(LegacyRule::kUnrollHints));
}

TEST(LegacySpace, TakesASpaceThatHasTheEntitiesWhereNoIndexAgrees) {
  const auto arguments = plain_conv({16, 14, 16, 3, 1, 1});
  KnobConfig config = legacy_space_config_of(task_of("conv2d_nchw.cuda", arguments, "opencl"), 33);
  config.index = 34;
  const auto logged = logged_space(task_of("conv2d_nchw.cuda", arguments, "rocm"), config).value();
  EXPECT_FALSE(logged.is_consistent);
  EXPECT_THAT(logged.rules, ElementsAre(LegacyRule::kUnrollHints));
  EXPECT_EQ(index_of(logged.space, logged.config).value(), 33u);
}

TEST(LegacySpace, CountsTwoSpatialAxesAsTvm014) {
  const Task task = task_of("conv2d_nhwc_spatial_pack.arm_cpu",
                            {test::tensor({1, 14, 14, 16}), test::tensor({3, 3, 16, 32}),
                             ints({1, 1}), ints({1, 1, 1, 1}), ints({1, 1}), word("float32")});
  KnobConfig config = legacy_space_config_of(task, 0);
  config.knobs[5].value.items.pop_back();
  const auto logged = logged_space(task, config).value();
  EXPECT_TRUE(logged.is_consistent);
  EXPECT_THAT(logged.rules, ElementsAre(LegacyRule::kTwoSpatialAxes));
  EXPECT_EQ(logged.space.knobs[5].entities.size(), 8u);
  EXPECT_EQ(logged.space.knobs[6].entities.size(), 2u);
}

TEST(LegacySpace, HasNoneForATaskWithoutSpace) {
  EXPECT_FALSE(logged_space(task_of("conv2d_nchw.cuda", {}), {}));
  EXPECT_FALSE(logged_space(task_of("no_template", {}), {}));
}

}  // namespace
}  // namespace opbench
