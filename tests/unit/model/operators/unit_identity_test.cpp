#include "model/operators/workloads/unit_identity.h"

#include <gmock/gmock.h>

#include <utility>

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kConv = "conv2d 1x16x6x6 w:16x16x1x1 w:16; relu";

UnitIdentity unit_of(const std::string& text, std::vector<int> blocks) {
  UnitIdentity unit = identity_from({.workload = text});
  unit.blocks = std::move(blocks);
  return unit;
}

TEST(UnitIdentity, TellsTextsOfItsWorkload) {
  const UnitIdentity unit = unit_of(kConv, {8, 0, 0, 16});
  ASSERT_TRUE(unit.workload);
  EXPECT_EQ(unit.operator_text, "conv2d+relu");
  EXPECT_EQ(workload_text(unit), kConv);
  EXPECT_EQ(short_shapes(unit), short_shapes(*unit.workload));
  EXPECT_THAT(layouts_of(unit), ElementsAre(8, 16)) << "weights have none";
}

TEST(UnitIdentity, SaysHowALayoutChanges) {
  UnitIdentity unit = unit_of("identity 1x20x7x7", {0, 16});
  EXPECT_FALSE(unit.is_layout_change());
  unit.operator_text = "layout";
  EXPECT_TRUE(unit.is_layout_change());
  EXPECT_EQ(short_shapes(unit), "1x20x7x7 NCHW -> NCHW16c");
}

TEST(UnitIdentity, KeepsTextsThatCannotBeParsed) {
  const UnitIdentity unit =
      identity_from({.workload = "of_tomorrow 1x4", .shapes = "1x4", .layouts = {8, 8}});
  EXPECT_FALSE(unit.workload);
  EXPECT_EQ(unit.operator_text, "");
  EXPECT_EQ(workload_text(unit), "of_tomorrow 1x4");
  EXPECT_EQ(short_shapes(unit), "1x4");
  EXPECT_THAT(layouts_of(unit), ElementsAre(8, 8));
}

TEST(UnitIdentity, KeepsTheOperatorsThatItWasTold) {
  UnitIdentity unit{.operator_text = "layout", .texts = {.workload = "identity 1x4"}};
  parse_workload_of(unit);
  ASSERT_TRUE(unit.workload);
  EXPECT_TRUE(unit.is_layout_change());
  EXPECT_EQ(unit.texts.workload, "");
}

TEST(UnitIdentity, HasNoTextsOfAnEnginesOwnNode) {
  const UnitIdentity unit{.operator_text = "Conv"};
  EXPECT_EQ(workload_text(unit), "");
  EXPECT_EQ(short_shapes(unit), "");
  EXPECT_THAT(layouts_of(unit), IsEmpty());
}

TEST(UnitIdentity, EqualsWhatAnotherProgramWroteOfIt) {
  UnitIdentity here = unit_of(kConv, {8, 0, 0, 16});
  here.nodes = {"a", "b"};
  UnitIdentity there =
      identity_from({.workload = kConv, .shapes = short_shapes(here), .layouts = layouts_of(here)});
  EXPECT_FALSE(here == there) << "the nodes differ";
  there.nodes = here.nodes;
  EXPECT_TRUE(here == there);
  there.texts.layouts = {8, 8};
  EXPECT_FALSE(here == there);
}

}  // namespace
}  // namespace opbench
