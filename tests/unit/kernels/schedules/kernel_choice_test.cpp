#include "kernels/schedules/kernel_choice.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "kernel_harness.h"

namespace opbench {
namespace {

using ::testing::Eq;
using ::testing::IsNull;
using ::testing::NotNull;

constexpr const char* kUnit = "conv2d 1x32x14x14 w:64x32x3x3 w:64 pads=1,1,1,1; relu";
constexpr const char* kTarget = "llvm -mcpu=skylake-avx512";

/// The spec of the unit as a planner asks for it: without schedule and config.
KernelSpec asked() {
  KernelSpec spec = *kernel_spec(kUnit, kTarget);
  spec.schedule.clear();
  spec.config.clear();
  return spec;
}

KernelChoice direct() {
  return {.workload = text_of(asked().workload),
          .blocks = {16, 0, 0, 16},
          .schedule = "conv2d_direct",
          .config = {{"tile_x", 5}, {"tile_co", 4}, {"rows_first", 0}},
          .origin = "a.log:3"};
}

TEST(KernelChoice, GivesTheScheduleAndTheConfigThatItNames) {
  KernelSpec spec = asked();
  const KernelChoices choices({direct()});
  const KernelChoice* taken = choices.complete(spec, {});
  ASSERT_THAT(taken, NotNull());
  EXPECT_THAT(taken->origin, Eq("a.log:3"));
  EXPECT_THAT(spec.schedule, Eq("conv2d_direct"));
  EXPECT_THAT(spec.config, Eq(direct().config));
}

TEST(KernelChoice, HasTheRulesValueForAKnobThatItLacks) {
  KernelChoice choice = direct();
  choice.config.erase("rows_first");
  KernelSpec spec = asked();
  ASSERT_THAT(KernelChoices({choice}).complete(spec, {}), NotNull());
  EXPECT_THAT(spec.config.at("rows_first"), Eq(1));
}

TEST(KernelChoice, ForAThreadCountComesBeforeOneForAny) {
  KernelChoice for_one = direct();
  for_one.threads = 1;
  for_one.origin = "one";
  KernelChoice for_two = direct();
  for_two.threads = 2;
  for_two.origin = "two";
  const auto origin = [](int threads, const std::vector<KernelChoice>& given) {
    KernelSpec spec = asked();
    spec.threads = threads;
    const KernelChoices choices(given);
    const KernelChoice* taken = choices.complete(spec, {});
    return taken == nullptr ? std::string("rule") : taken->origin;
  };
  EXPECT_THAT(origin(1, {for_one, for_two}), Eq("one"));
  EXPECT_THAT(origin(2, {for_one, for_two}), Eq("two"));
  EXPECT_THAT(origin(4, {for_one, for_two}), Eq("rule"));
  EXPECT_THAT(origin(1, {for_one, direct()}), Eq("one")) << "though it is not the last";
  EXPECT_THAT(origin(4, {for_one, direct()}), Eq("a.log:3"));
}

/// The kernel of a workload like the unit, of this width.
KernelChoice of_width(int width) {
  KernelChoice choice = direct();
  choice.workload = fmt::format("conv2d 1x32x14x{} w:64x32x3x3 w:64 pads=1,1,1,1; relu", width);
  choice.origin = fmt::format("a.log:{}", width);
  choice.is_for_similar = true;
  return choice;
}

TEST(KernelChoice, OfTheNearestShapeServesWhereThatIsAskedFor) {
  KernelSpec spec = asked();
  const KernelChoices choices({of_width(64), of_width(16), of_width(7)});
  const KernelChoice* taken = choices.complete(spec, {});
  ASSERT_THAT(taken, NotNull());
  EXPECT_THAT(taken->origin,
              Eq("a.log:16 for conv2d 1x32x14x16 w:64x32x3x3 w:64 pads=1,1,1,1; relu"));
  EXPECT_THAT(spec.config, Eq(direct().config));
  KernelSpec other = asked();
  KernelChoice exact = of_width(16);
  exact.is_for_similar = false;
  EXPECT_THAT(KernelChoices({exact}).complete(other, {}), IsNull()) << "not asked for";
  KernelChoice for_two = of_width(16);
  for_two.threads = 2;
  EXPECT_THAT(KernelChoices({for_two}).complete(other, {}), IsNull()) << "for two threads";
}

TEST(KernelChoice, OfTheNextNearestServesWhereTheNearestDoesNotFit) {
  KernelChoice nearest = of_width(16);
  nearest.config["tile_x"] = 4711;
  KernelSpec spec = asked();
  const KernelChoices choices({nearest, of_width(64)});
  ASSERT_THAT(choices.complete(spec, {}), NotNull());
  EXPECT_THAT(spec.config.at("tile_x"), Eq(direct().config.at("tile_x")));
  KernelChoice other_layout = of_width(16);
  other_layout.blocks.front() = 0;
  KernelSpec third = asked();
  EXPECT_THAT(KernelChoices({other_layout}).complete(third, {}), IsNull());
}

TEST(KernelChoice, ExactOneGoesBeforeTheNearest) {
  KernelChoice exact = direct();
  exact.is_for_similar = true;
  KernelSpec spec = asked();
  const KernelChoices choices({of_width(15), exact});
  const KernelChoice* taken = choices.complete(spec, {});
  ASSERT_THAT(taken, NotNull());
  EXPECT_THAT(taken->origin, Eq("a.log:3"));
}

TEST(KernelChoice, IsLeftOutWhenItDoesNotFit) {
  const auto is_refused = [](const KernelChoice& choice, std::set<std::string> refused = {}) {
    KernelSpec spec = asked();
    const bool is_taken = KernelChoices({choice}).complete(spec, refused) != nullptr;
    EXPECT_THAT(is_taken, Eq(!spec.schedule.empty()));
    return !is_taken;
  };
  KernelChoice choice = direct();
  choice.blocks.front() = 0;
  EXPECT_TRUE(is_refused(choice)) << "other layouts";
  choice = direct();
  choice.workload = "conv2d 1x32x14x14 w:64x32x3x3 w:64 pads=1,1,1,1";
  EXPECT_TRUE(is_refused(choice)) << "another workload";
  choice = direct();
  choice.schedule = "conv2d_no_more";
  EXPECT_TRUE(is_refused(choice)) << "a schedule that is not there";
  choice = direct();
  choice.schedule = "conv2d_depthwise";
  EXPECT_TRUE(is_refused(choice)) << "a schedule for other workloads";
  choice = direct();
  choice.config["tile_co"] = 3;
  EXPECT_TRUE(is_refused(choice)) << "an invalid config";
  choice = direct();
  choice.config["vanished"] = 1;
  EXPECT_TRUE(is_refused(choice)) << "a knob that the schedule no longer has";
  KernelSpec spec = asked();
  ASSERT_THAT(KernelChoices({direct()}).complete(spec, {}), NotNull());
  EXPECT_TRUE(is_refused(direct(), {text_of(spec)})) << "what could not be built";
}

TEST(KernelChoice, OfAnAnchorIsForEveryUnitThatBeginsWithIt) {
  const KernelChoice choice{
      .workload = "conv2d 1x32x14x14 w:64x32x3x3 pads=1,1,1,1",
      .blocks = {16, 16},
      .schedule = "conv2d_nchwc_x86",
      .config = {{"tile_ic", 16}, {"tile_oc", 16}, {"tile_ow", 7}, {"unroll_kw", 1}},
      .origin = "tvm.log:1",
      .is_of_anchor = true};
  KernelSpec spec = asked();
  ASSERT_THAT(KernelChoices({choice}).complete(spec, {}), NotNull());
  EXPECT_THAT(spec.schedule, Eq("conv2d_nchwc_x86"));
  EXPECT_THAT(spec.config.at("tile_ow"), Eq(7));
  KernelSpec exact = asked();
  const KernelChoices both({choice, direct()});
  EXPECT_THAT(both.complete(exact, {})->origin, Eq("a.log:3")) << "the unit's own comes first";
}

TEST(AnchorText, LeavesOutTheBiasAndWhatFollows) {
  EXPECT_THAT(anchor_text(asked().workload), Eq("conv2d 1x32x14x14 w:64x32x3x3 pads=1,1,1,1"));
  const auto dense = parse_workload("dense 1x512 w:1000x512 w:1000 transB=1; relu");
  EXPECT_THAT(anchor_text(*dense), Eq("dense 1x512 w:1000x512 transB=1"));
}

TEST(KernelChoice, IsReadBackFromJson) {
  EXPECT_THAT(*kernel_choice_from_json(to_json(direct())), Eq(direct()));
  Json json = to_json(direct());
  json.erase("config");
  EXPECT_THAT(kernel_choice_from_json(json).error().code, Eq(ErrorCode::kInvalidInput));
}

}  // namespace
}  // namespace opbench
