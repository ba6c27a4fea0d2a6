#include "experiments/devices/device_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/files/file.h"
#include "experiments/devices/device_times.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

std::string device_choice_refusal(const std::vector<std::string>& texts) {
  const auto parsed = parse_devices(texts);
  return parsed ? "" : to_text(parsed.error());
}

TEST(DeviceChoice, AreCpusWithATarget) {
  const auto devices = parse_devices({"cpu0", "cpu1+cpu3", "cpu1:avx2"});
  ASSERT_TRUE(devices) << to_text(devices.error());
  EXPECT_EQ((*devices)[0].cpus, (std::vector<int>{0}));
  EXPECT_EQ((*devices)[0].target, "host");
  EXPECT_EQ((*devices)[1].cpus, (std::vector<int>{1, 3}));
  EXPECT_EQ((*devices)[2].target, "llvm -mcpu=core-avx2");
  EXPECT_EQ((*devices)[2].variant, "avx2");
  const auto busy = parse_device("cpu1:avx2:busy");
  ASSERT_TRUE(busy);
  EXPECT_TRUE(busy->has_busy_neighbour);
  EXPECT_EQ(busy->variant, "avx2");
  EXPECT_FALSE((*devices)[2].has_busy_neighbour);
  EXPECT_THAT(shared_cpus_warning(*devices), HasSubstr("cpu1+cpu3, cpu1:avx2 share CPU 1"));
}

TEST(DeviceChoice, OfAnotherKindGetACpuThatNoneHas) {
  const auto devices = parse_devices({"opencl:0", "cpu0"});
  ASSERT_TRUE(devices) << to_text(devices.error());
  EXPECT_EQ((*devices)[0].device, "opencl:0");
  EXPECT_EQ((*devices)[0].target, "opencl");
  EXPECT_FALSE((*devices)[0].is_table());
  ASSERT_EQ((*devices)[0].cpus.size(), 1U);
  EXPECT_EQ((*devices)[1].device, "");
  EXPECT_EQ(parse_device("pocl:1").value().device, "pocl:1");
  EXPECT_EQ(find_device(*devices, "cpu0").value(), 1U);
  EXPECT_THAT(to_text(find_device(*devices, "opencl:1").error()),
              HasSubstr("did you mean: opencl:0?"));
}

// 4.5 W stood beside 6 W on a machine whose own code is AVX2.
TEST(DeviceChoice, HaveAVariantWhereTheMachinesVectorsAreWider) {
  const DeviceChoice choice = parse_device("cpu1:avx2").value();
  EXPECT_EQ(narrower_variant(choice, parse_target("llvm -mcpu=skylake-avx512").value()), "avx2");
  EXPECT_EQ(narrower_variant(choice, parse_target("llvm -mcpu=core-avx2").value()), "");
  EXPECT_EQ(narrower_variant(choice, parse_target("llvm -mcpu=penryn").value()), "");
  const DeviceChoice own = parse_device("cpu1").value();
  EXPECT_EQ(narrower_variant(own, parse_target("llvm -mcpu=skylake-avx512").value()), "");
}

TEST(DeviceChoice, AreRefusedWithWhatIsValid) {
  EXPECT_THAT(device_choice_refusal({"cpu0"}), HasSubstr("at least two devices"));
  EXPECT_THAT(device_choice_refusal({"cpu0", "gpu1"}), HasSubstr("\"gpu1\" is no device"));
  EXPECT_THAT(device_choice_refusal({"cpu0", "cpu"}), HasSubstr("\"cpu\" is no device"));
  EXPECT_THAT(device_choice_refusal({"cpu0", "cpu1+"}), HasSubstr("\"cpu1+\" is no device"));
  EXPECT_THAT(device_choice_refusal({"cpu0", "cpu1+cpu1"}), HasSubstr("names CPU 1 twice"));
  EXPECT_THAT(device_choice_refusal({"cpu0", "cpu0"}),
              HasSubstr("two devices have the name \"cpu0\""));
  EXPECT_THAT(device_choice_refusal({"cpu0", "cpu1:avx3"}), HasSubstr("did you mean: avx2?"));
  EXPECT_THAT(device_choice_refusal({"cpu0", "cpu1:"}), HasSubstr("property of a device \"\""));
  EXPECT_THAT(device_choice_refusal({"cpu0", "missing.json"}), HasSubstr("missing.json"));
}

TEST(DeviceTable, HoldsTimesByWorkload) {
  const auto table = parse_device_table(
      R"({"schema": "opbench.device/1", "name": "sim", "kind": "simulated", "source": "a wish",
          "times_ms": {"relu 2x3": 0.5}, "factor_of_others": 2,
          "transfer": {"latency_ms": 0.1, "gbytes_per_s": 4}})",
      "t.json");
  ASSERT_TRUE(table) << to_text(table.error());
  EXPECT_EQ(table->name, "sim");
  EXPECT_EQ(table->times_ms.at("relu 2x3"), 0.5);
  EXPECT_EQ(table->transfer_gbytes_per_s, 4);
  const DeviceChoice device{.name = "sim", .table = *table};
  PlaceGraph graph;
  graph.add({.name = "a"}, "relu 2x3", {1}, {0});
  graph.add({.name = "b"}, "relu 9x9", {3}, {0});
  EXPECT_EQ(times_of_table(device, graph).value(), (std::vector<double>{0.5, 6}));
  graph.times_ms[1].clear();
  const auto alone = times_of_table(device, graph);
  ASSERT_FALSE(alone);
  EXPECT_THAT(to_text(alone.error()), HasSubstr("name another device first"));
}

TEST(DeviceTable, RefusesWhatCannotBe) {
  const auto refused = [](const std::string& members) {
    const auto table =
        parse_device_table(R"({"schema": "opbench.device/1", )" + members + "}", "t");
    return table ? "" : to_text(table.error());
  };
  EXPECT_THAT(refused(R"("kind": "guessed")"), HasSubstr("unknown kind of times \"guessed\""));
  EXPECT_THAT(refused(R"("kind": "measured", "time_ms": {})"),
              HasSubstr("did you mean: times_ms?"));
  EXPECT_THAT(refused(R"("kind": "measured", "times_ms": {"x": 0})"), HasSubstr("above 0, not 0"));
  EXPECT_THAT(refused(R"("kind": "measured", "times_ms": [1])"), HasSubstr("no object"));
  EXPECT_THAT(refused(R"("kind": "measured", "transfer": 3)"), HasSubstr("no object"));
  EXPECT_THAT(refused(R"("kind": 3)"), HasSubstr("\"kind\" is no text"));
  EXPECT_FALSE(parse_device_table("[]", "t"));
  EXPECT_FALSE(parse_device_table("{", "t"));
}

TEST(DeviceUnits, GiveLayoutChangesToTheirReaders) {
  // 0 changes the input's layout for 1; 2 changes 1's for 3 and 4; 5 is an output in another
  // layout.
  UnitGraph graph{.units = std::vector<GraphUnit>(6)};
  const std::vector<std::vector<std::string>> nodes = {{}, {"a"}, {}, {"b"}, {"c"}, {}};
  graph.units[1].needs = {{0, 10}};
  graph.units[2].needs = {{1, 20}};
  graph.units[3].needs = {{2, 20}};
  graph.units[4].needs = {{2, 20}, {3, 5}};
  graph.units[5].needs = {{4, 7}};
  std::vector<TimeWithError> times;
  for (int i = 0; i < 6; ++i) times.push_back({.ms = static_cast<double>(1 << i), .error_ms = 3});
  const std::vector<size_t> owner = owners_of(graph, nodes);
  EXPECT_EQ(owner, (std::vector<size_t>{1, 1, 3, 3, 4, 4}));
  EXPECT_EQ(summed_times(times, owner), (std::vector<TimeWithError>{{1 + 2, std::hypot(3, 3)},
                                                                    {4 + 8, std::hypot(3, 3)},
                                                                    {16 + 32, std::hypot(3, 3)}}));
  EXPECT_TRUE(summed_times({}, owner).empty()) << "nothing was measured";
  const UnitGraph whole = contracted(graph, owner);
  ASSERT_EQ(whole.size(), 3u);
  EXPECT_TRUE(whole.units[0].needs.empty());
  EXPECT_EQ(whole.units[1].needs, (std::vector<UnitNeed>{{0, 20}}));
  EXPECT_EQ(whole.units[2].needs, (std::vector<UnitNeed>{{1, 25}}));
  graph.units[4].needs[1].bytes.reset();
  EXPECT_EQ(contracted(graph, owner).units[2].needs, (std::vector<UnitNeed>{{1}}))
      << "a sum is not known where a part is not";
}

}  // namespace
}  // namespace opbench
