#include "experiments/place/energy_constants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;

std::string energy_constants_refusal(const std::string& text) {
  const auto parsed = parse_energy(text, "e.toml");
  return parsed ? "" : to_text(parsed.error());
}

TEST(EnergyConstants, HaveADefaultWithComments) {
  const auto constants = parse_energy(built_in_energy_text(), "built-in");
  ASSERT_TRUE(constants) << to_text(constants.error());
  EXPECT_GT(constants->cpu.busy_w, constants->cpu.idle_w);
  EXPECT_GT(constants->transfer_pj_per_byte, 0);
  EXPECT_TRUE(constants->variants.contains("avx2"));
  EXPECT_THAT(std::string(built_in_energy_text()), HasSubstr("Nothing here was measured"));
}

TEST(EnergyConstants, AreTakenByTheMostSpecialName) {
  const auto constants = parse_energy(
      "[cpu]\nbusy_w = 6\nidle_w = 1\n[variant.avx2]\nbusy_w = 4\nidle_w = 1\n"
      "[device.fpga]\nbusy_w = 2\nidle_w = 0.5\n[device.\"cpu2:avx2\"]\nbusy_w = 9\nidle_w = 3\n",
      "e.toml");
  ASSERT_TRUE(constants) << to_text(constants.error());
  PlaceGraph graph;
  graph.devices = {{.name = "cpu0+cpu1", .cpus = {0, 1}},
                   {.name = "cpu1:avx2", .cpus = {1}, .variant = "avx2"},
                   {.name = "cpu2:avx2", .cpus = {2}, .variant = "avx2"},
                   {.name = "fpga"}};
  const auto powers = powers_of(*constants, graph);
  ASSERT_TRUE(powers);
  EXPECT_EQ(*powers, (std::vector<DevicePower>{{12, 2}, {4, 1}, {9, 3}, {2, 0.5}}));
}

TEST(EnergyConstants, AreMissedForATable) {
  const auto constants = parse_energy("[cpu]\nbusy_w = 6\nidle_w = 1\n", "e.toml");
  const auto powers = powers_of(*constants, {.devices = {{.name = "fpga"}}});
  ASSERT_FALSE(powers);
  EXPECT_THAT(to_text(powers.error()), HasSubstr("[device.fpga]"));
}

TEST(EnergyConstants, RefuseWhatCannotBe) {
  EXPECT_THAT(energy_constants_refusal("[cpu\n"), HasSubstr("e.toml:1"));
  EXPECT_THAT(energy_constants_refusal("cpu = 3\n"), HasSubstr("must be a table"));
  EXPECT_THAT(energy_constants_refusal("[cpus]\nbusy_w = 1\n"), HasSubstr("did you mean: cpu?"));
  EXPECT_THAT(energy_constants_refusal("[cpu]\nbusy_w = 1\n"), HasSubstr("lacks \"idle_w\""));
  EXPECT_THAT(energy_constants_refusal("[cpu]\nbusyw = 1\nidle_w = 1\n"),
              HasSubstr("did you mean: busy_w?"));
  EXPECT_THAT(energy_constants_refusal("[cpu]\nbusy_w = -1\nidle_w = 0\n"),
              HasSubstr("at least 0"));
  EXPECT_THAT(energy_constants_refusal("[cpu]\nbusy_w = \"1\"\nidle_w = 0\n"),
              HasSubstr("at least 0"));
  EXPECT_THAT(energy_constants_refusal("[cpu]\nbusy_w = 1\nidle_w = 2\n"),
              HasSubstr("when busy and 2 W when idle"));
  EXPECT_THAT(energy_constants_refusal("[device]\nfpga = 2\n"),
              HasSubstr("\"device.fpga\" must be a table"));
  EXPECT_THAT(energy_constants_refusal("[transfer]\npj = 2\n"), HasSubstr("pj_per_byte"));
  EXPECT_THAT(energy_constants_refusal("[cpu]\nbusy_w = 2\nidle_w = 1\nsource = 3\n"),
              HasSubstr("\"cpu.source\" must be a text"));
}

TEST(EnergyConstants, AreReadBackFromTheirText) {
  EnergyConstants constants = parse_energy(built_in_energy_text(), "e.toml").value();
  constants.devices["cpu0+cpu1"] = {5.25, 1.0 / 3, "measured (package-0)"};
  constants.devices["a \"b\""] = {2, 0};
  const std::string text = energy_text(constants);
  const auto again = parse_energy(text, "e.toml");
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(*again, constants);
  EXPECT_THAT(text, HasSubstr("measured (package-0)"));
}

TEST(EnergyConstants, CanBeChangedOneByOne) {
  EnergyConstants constants = parse_energy(built_in_energy_text(), "built-in").value();
  std::vector<std::string> names;
  for (const EnergyConstant& constant : constants_in(constants)) {
    names.push_back(constant.name);
    *constant.value = 42;
  }
  EXPECT_THAT(names, testing::ElementsAre("cpu.busy_w", "cpu.idle_w", "variant.avx2.busy_w",
                                          "variant.avx2.idle_w", "transfer.pj_per_byte"));
  EXPECT_EQ(constants.cpu.busy_w, 42);
  EXPECT_EQ(constants.transfer_pj_per_byte, 42);
}

}  // namespace
}  // namespace opbench
