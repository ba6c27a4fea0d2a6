#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/space/fallback_config.h"
#include "task_maker.h"

namespace opbench {
namespace {

using test::batch_matmul;
using test::dense;
using test::nchwc_conv;
using testing::ElementsAre;

KnobConfig fallback(const std::string& name, const std::vector<Argument>& arguments,
                    const std::string& cpu = "skylake-avx512") {
  Target target;
  if (!cpu.empty()) target.attributes["mcpu"] = cpu;
  return fallback_of({name, arguments, target}).value();
}

/// As a record would have them, with the numbers of docs/reference/config-spaces.md, "Default
/// configs" worked out by hand.
TEST(Fallback, OfBlockedConvolutionsFillsVectorsAndRegisters) {
  const auto general = fallback("conv2d_NCHWc.x86", nchwc_conv({3, 224, 64, 7, 2, 3}));
  EXPECT_THAT(general.knobs,
              ElementsAre(split_value("tile_ic", {1, 3}), split_value("tile_oc", {4, 16}),
                          split_value("tile_ow", {4, 28}),
                          option_value("unroll_kw", Argument::of_bool(false))));
  const auto narrow = fallback("conv2d_NCHWc.x86", nchwc_conv({64, 56, 64, 3, 1, 1}), "");
  EXPECT_EQ(narrow.knobs[0], split_value("tile_ic", {16, 4}));
  EXPECT_EQ(narrow.knobs[1], split_value("tile_oc", {16, 4}));
  EXPECT_EQ(fallback("conv2d_NCHWc.x86", nchwc_conv({64, 56, 64, 3, 1, 1}), "znver3").knobs[1],
            split_value("tile_oc", {8, 8}));
}

TEST(Fallback, OfOneTapTakesTheWidestTileAndThenTheHighest) {
  const auto wide = fallback("conv2d_NCHWc.x86", nchwc_conv({64, 56, 64, 1}));
  EXPECT_EQ(wide.knobs[2], split_value("tile_ow", {2, 28}));
  EXPECT_EQ(wide.knobs[3], option_value("tile_oh", Argument::of_int(1)));
  const auto high = fallback("conv2d_NCHWc.x86", nchwc_conv({512, 8, 512, 1}));
  EXPECT_EQ(high.knobs[2], split_value("tile_ow", {1, 8}));
  EXPECT_EQ(high.knobs[3], option_value("tile_oh", Argument::of_int(2)));
  const auto outside = fallback("conv2d_NCHWc.x86", nchwc_conv({512, 7, 512, 1}));
  EXPECT_EQ(outside.knobs[3], option_value("tile_oh", Argument::of_int(1)));
}

TEST(Fallback, OfDepthwiseIsThatOfRows) {
  const auto config = fallback("depthwise_conv2d_NCHWc.x86",
                               {test::tensor({1, 96, 112, 112}), test::tensor({96, 1, 3, 3}),
                                test::ints({2, 2}), test::ints({1, 1, 1, 1}), test::ints({1, 1}),
                                test::word("NCHW"), test::word("NCHW"), test::word("float32")});
  EXPECT_THAT(config.knobs,
              ElementsAre(split_value("tile_ic", {6, 16}), split_value("tile_oc", {6, 16}),
                          split_value("tile_ow", {2, 28}),
                          option_value("unroll_kw", Argument::of_bool(false))));
}

TEST(Fallback, OfDenseLayers) {
  EXPECT_THAT(fallback("dense_nopack.x86", dense(1, 1000, 512)).knobs,
              ElementsAre(split_value("tile_y", {1, 1}), split_value("tile_x", {1000, 1}),
                          split_value("tile_k", {16, 32})));
  EXPECT_THAT(fallback("dense_pack.x86", dense(128, 768, 768)).knobs,
              ElementsAre(split_value("tile_y", {4, 4, 8}), split_value("tile_x", {3, 8, 32}),
                          split_value("tile_k", {768, 1}), split_value("tile_inner", {16, 8})));
  EXPECT_THAT(fallback("batch_matmul.x86", batch_matmul(12, 128, 100, 64)).knobs,
              ElementsAre(split_value("tile_y", {16, 8}), split_value("tile_x", {25, 4}),
                          split_value("tile_k", {4, 16})));
}

TEST(Fallback, IsAConfigOfTheSpaceWhereItCanBe) {
  const Task task{"dense_pack.x86", dense(128, 768, 768), Target{}};
  const KnobConfig config = fallback_of(task).value();
  const ConfigSpace space = space_of(task).value();
  EXPECT_EQ(config_at(space, config.index).value(), with_free_outer_extents(space, config));
}

TEST(Fallback, IsTheFirstConfigOfOtherTemplates) {
  const Task task{"dense.mali", dense(1, 1000, 512), Target{.kind = "opencl"}};
  EXPECT_EQ(fallback_of(task).value(), config_at(space_of(task).value(), 0).value());
  EXPECT_FALSE(fallback_of({"dense.mali", {}, Target{}}));
}

}  // namespace
}  // namespace opbench
