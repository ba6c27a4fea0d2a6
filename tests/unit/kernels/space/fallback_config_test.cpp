#include "kernels/space/fallback_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/space/knob_features.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

ConfigSpace space_of_lengths(int64_t rows, int64_t columns) {
  SpaceBuilder builder;
  builder.define_split("tile_y", rows, 3);
  builder.define_split("tile_x", columns, 2);
  builder.define_annotate("ann", 2, "try_unroll_vec");
  builder.define_option("hint", {0, 1, 2});
  return std::move(builder).finish().value();
}

KnobConfig reference(const SplitSizes& rows, const SplitSizes& columns, int64_t hint) {
  return {
      .knobs = {split_value("tile_y", rows),
                split_value("tile_x", columns),
                {"ann", "an",
                 Argument::of_tuple({Argument::of_string("unroll"), Argument::of_string("vec")})},
                option_value("hint", Argument::of_int(hint))}};
}

TEST(FallbackConfig, SplitsFromTheInnermostPart) {
  EXPECT_EQ(fallback_split(128, {-1, 8, 4}), (SplitSizes{4, 8, 4}));
  EXPECT_EQ(fallback_split(49, {-1, 8, 4}), (SplitSizes{7, 7, 1}));
  EXPECT_EQ(fallback_split(6, {-1, -1}), (SplitSizes{1, 6}));
}

TEST(FallbackConfig, TakesTheReferenceThatSharesMostDivisors) {
  const ConfigSpace space = space_of_lengths(56, 64);
  const KnobConfig config = fallback_from_references(
      space, {{reference({1, 3, 5}, {1, 7}, 0)},
              {reference({4, 7, 2}, {4, 16}, 2)},    // 56 and 64: all divisors
              {reference({7, 4, 2}, {16, 4}, 1)}});  // just as good, but later
  EXPECT_EQ(config.knobs[0], split_value("tile_y", {4, 7, 2}));
  EXPECT_EQ(config.knobs[1], split_value("tile_x", {4, 16}));
  EXPECT_EQ(config.knobs[3].value, Argument::of_int(2));
  EXPECT_EQ(config_at(space, config.index).value(), with_free_outer_extents(space, config));
}

TEST(FallbackConfig, LooksUpLengthsThatTheReferenceLeftOpen) {
  const ConfigSpace space = space_of_lengths(56, 64);
  const std::vector<ReferenceConfig> references = {
      {reference({-1, 7, 2}, {-1, 16}, 2), space_of_lengths(112, 128)}};
  const KnobConfig config = fallback_from_references(space, references);
  EXPECT_EQ(config.knobs[0], split_value("tile_y", {4, 7, 2}));
  EXPECT_EQ(config.knobs[3].value, Argument::of_int(2));
}

TEST(FallbackConfig, IsTheConfigOfFirstEntitiesWithoutReferences) {
  const ConfigSpace space = space_of_lengths(56, 64);
  EXPECT_EQ(fallback_from_references(space, {}), config_at(space, 0).value());
}

TEST(KnobFeatures, FlattenEveryKind) {
  SpaceBuilder builder;
  builder.define_split("tile", 8, 3);
  builder.define_reorder("order", 3, {.policy = "all"});
  builder.define_annotate("ann", 2, "try_unroll_vec");
  builder.define_option("flag", {Argument::of_bool(true), Argument::of_bool(false)});
  builder.define_option("step", {16, 512});
  const ConfigSpace space = std::move(builder).finish().value();
  const std::vector<size_t> digits = {5, 1, 5, 0, 1};
  const auto features = knob_features(space, digits);
  EXPECT_THAT(features, ElementsAre(-1, 2, 2, 0, 2, 1,                // tile, order
                                    0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,  // unroll
                                    0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,  // vec
                                    1, 512));
  EXPECT_EQ(knob_features(config_at(space, index_of(space, digits)).value()), features);
}

TEST(KnobFeatures, KnowEveryAnnotation) {
  SpaceBuilder builder;
  builder.define_annotate("bind", 10, "bind_gpu_virtual");
  const auto features = knob_features(std::move(builder).finish().value(), {0});
  ASSERT_THAT(features, SizeIs(110));
  const std::vector<size_t> wanted = {10, 5, 4, 3, 9, 9, 9, 8, 7, 6};
  for (size_t axis = 0; axis < wanted.size(); ++axis) {
    EXPECT_EQ(features[axis * 11 + wanted[axis]], 1.0F) << axis;
  }
  EXPECT_EQ(std::count(features.begin(), features.end(), 1.0F), 10);
}

}  // namespace
}  // namespace opbench
