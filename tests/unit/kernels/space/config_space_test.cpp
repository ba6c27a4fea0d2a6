#include "kernels/space/config_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "kernels/space/space_builder.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ConfigSpace small_space() {
  SpaceBuilder builder;
  builder.define_split("tile_x", 8, 2);
  builder.define_split("tile_y", 6, 2);
  builder.define_option("unroll", {0, 1});
  return std::move(builder).finish().value();
}

Argument ints(const std::vector<int64_t>& values) {
  std::vector<Argument> items;
  for (const int64_t value : values) items.push_back(Argument::of_int(value));
  return Argument::of_tuple(std::move(items));
}

std::string error_of(const Result<uint64_t>& result) {
  return result ? "" : to_text(result.error());
}

TEST(ConfigSpace, NumbersTheFirstKnobFastest) {
  const ConfigSpace space = small_space();
  EXPECT_EQ(size_of(space).value(), 32u);
  EXPECT_THAT(digits_of(space, 13).value(), ElementsAre(1, 3, 0));
  const KnobConfig config = config_at(space, 13).value();
  EXPECT_EQ(config.index, 13u);
  EXPECT_THAT(config.knobs, ElementsAre(KnobValue{"tile_x", "sp", ints({-1, 2})},
                                        KnobValue{"tile_y", "sp", ints({-1, 6})},
                                        KnobValue{"unroll", "ot", Argument::of_int(0)}));
}

TEST(ConfigSpace, HasOneConfigWithoutKnobs) {
  const ConfigSpace space;
  EXPECT_EQ(size_of(space).value(), 1u);
  EXPECT_EQ(config_at(space, 0).value(), KnobConfig{});
  EXPECT_FALSE(config_at(space, 1));
  EXPECT_EQ(printed(space), "ConfigSpace (len=1, space_map=\n)");
}

TEST(ConfigSpace, RefusesAnIndexPastTheLast) {
  const auto config = config_at(small_space(), 32);
  ASSERT_FALSE(config);
  EXPECT_EQ(to_text(config.error()), "error: index 32 of a config space of 32\n  valid: 0 to 31\n");
}

TEST(ConfigSpace, FindsTheIndexByEntitiesWhateverIndexIsClaimed) {
  const ConfigSpace space = small_space();
  KnobConfig config = config_at(space, 27).value();
  config.index = 3;
  EXPECT_EQ(index_of(space, config).value(), 27u);
  std::ranges::reverse(config.knobs);
  EXPECT_EQ(index_of(space, config).value(), 27u);
  config.knobs[0].value = Argument::of_bool(true);  // True == 1 in Python
  EXPECT_EQ(index_of(space, config).value(), 27u);
}

TEST(ConfigSpace, SaysWhatAConfigLacksOrHasTooMuch) {
  const ConfigSpace space = small_space();
  KnobConfig config = config_at(space, 5).value();
  config.knobs[0].value = ints({-1, 3});
  EXPECT_EQ(error_of(index_of(space, config)),
            "error: knob \"tile_x\" cannot be [-1, 3]\n"
            "  valid: [-1, 4], [-1, 2], [-1, 8], [-1, 1]\n");
  config.knobs[0].kind = "ot";
  EXPECT_EQ(error_of(index_of(space, config)),
            "error: knob \"tile_x\" of kind \"ot\"\n  valid: sp\n");
  config.knobs[0].name = "tile_X";
  EXPECT_THAT(error_of(index_of(space, config)), HasSubstr("did you mean: tile_x?"));
  config.knobs.erase(config.knobs.begin());
  EXPECT_EQ(error_of(index_of(space, config)),
            "error: a config without knob \"tile_x\"\n  known: tile_x, tile_y, unroll\n");
}

SpaceBuilder random_builder(Random& random) {
  SpaceBuilder builder;
  const auto count = random.below(6);
  for (uint64_t i = 0; i < count; ++i) {
    const std::string name = "knob" + std::to_string(i);
    switch (random.below(4)) {
      case 0:
        builder.define_split(
            name, static_cast<int64_t>(1 + random.below(300)),
            SplitOptions{.policy = std::vector{"factors", "power2", "verbose"}[random.below(3)],
                         .num_outputs = 2 + static_cast<int>(random.below(3))});
        break;
      case 1:
        builder.define_reorder(name, 1 + static_cast<int>(random.below(4)), {.policy = "all"});
        break;
      case 2:
        builder.define_annotate(name, 1 + static_cast<int>(random.below(3)), "try_unroll_vec");
        break;
      default:
        builder.define_option(name,
                              std::vector<Argument>{Argument::of_bool(false), Argument::of_int(7),
                                                    Argument::of_string("word")});
    }
  }
  return builder;
}

TEST(ConfigSpace, GoesFromIndexToConfigAndBackInRandomSpaces) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const ConfigSpace space = random_builder(random).finish().value();
    const uint64_t size = size_of(space).value();
    uint64_t product = 1;
    for (const Knob& knob : space.knobs) product *= knob.entities.size();
    ASSERT_EQ(size, product);
    for (int j = 0; j < 20; ++j) {
      const uint64_t index = j == 0 ? size - 1 : random.below(size);
      const auto digits = digits_of(space, index).value();
      ASSERT_EQ(index_of(space, digits), index);
      const KnobConfig config = config_at(space, index).value();
      ASSERT_EQ(index_of(space, config).value(), index);
    }
  }
}

TEST(ConfigSpace, IsPrintedAsTvmPrintsIt) {
  SpaceBuilder builder;
  builder.define_split("tile_ow", 112, SplitOptions{.policy = "verbose"});
  builder.define_reorder("reorder_0", 3, {.policy = "all"});
  builder.define_annotate("ann", 2, "try_unroll");
  builder.define_option("unroll_kw", {Argument::of_bool(true), Argument::of_bool(false)});
  builder.define_option("layout", {Argument::of_string("NCHW"), Argument::of_int(2)});
  EXPECT_EQ(printed(std::move(builder).finish().value()),
            "ConfigSpace (len=1152, space_map=\n"
            "   0 tile_ow: Split(policy=verbose, product=112, num_outputs=2) len=12\n"
            "   1 reorder_0: Reorder(policy=all) len=6\n"
            "   2 ann: Annotate(policy=try_unroll) len=4\n"
            "   3 unroll_kw: OtherOption([True, False]) len=2\n"
            "   4 layout: OtherOption([NCHW, 2]) len=2\n"
            ")");
}

}  // namespace
}  // namespace opbench
