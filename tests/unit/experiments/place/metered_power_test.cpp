#include "experiments/place/metered_power.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/file.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

const EnergyMeter& two_packages() {
  static const EnergyMeter meter{{{"package-0", "", 1}, {"package-1", "", 1}}};
  return meter;
}

TEST(MeteredPower, CountsRestInsideTheWindowAsRest) {
  EXPECT_DOUBLE_EQ(running_w({.joules = 30, .window_s = 2, .run_s = 2}, 10), 15);
  EXPECT_DOUBLE_EQ(running_w({.joules = 30, .window_s = 2, .run_s = 1}, 10), 20);
  // A clock that is a little off leaves no rest below 0.
  EXPECT_DOUBLE_EQ(running_w({.joules = 30, .window_s = 2, .run_s = 2.1}, 10), 15);
}

TEST(MeteredPower, SharesIdleWattsEqually) {
  const double idle_w = 12;
  const std::vector<double> running = {20, 17, 13.5};
  std::vector<double> added;
  for (const double watts : running) added.push_back(watts - idle_w);
  const auto powers = shared_powers(idle_w, added, two_packages());
  ASSERT_EQ(powers.size(), 3u);
  double idle_sum = 0;
  for (size_t i = 0; i < powers.size(); ++i) {
    EXPECT_DOUBLE_EQ(powers[i].busy_w, running[i] - idle_w * 2 / 3);
    EXPECT_EQ(powers[i].source, "measured (package-0, package-1)");
    EXPECT_TRUE(is_measured(powers[i]));
    idle_sum += powers[i].idle_w;
  }
  EXPECT_DOUBLE_EQ(idle_sum, idle_w);
  // One device busy, the others idle: what the meter showed.
  EXPECT_DOUBLE_EQ(powers[0].busy_w + powers[1].idle_w + powers[2].idle_w, running[0]);
}

TEST(MeteredPower, IsNeverLessThanIdle) {
  const auto powers = shared_powers(12, {-0.5, 2}, two_packages());
  EXPECT_EQ(powers[0].busy_w, powers[0].idle_w);
  EXPECT_EQ(powers[1].busy_w, powers[1].idle_w + 2);
}

TEST(MeteredPower, IsRefusedWithoutAMeter) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const auto meter = required_meter(folder.path() / "powercap");
  ASSERT_FALSE(meter);
  EXPECT_EQ(meter.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(to_text(meter.error()), HasSubstr("there is no folder"));
  EXPECT_THAT(to_text(meter.error()), HasSubstr("--energy built-in"));
}

std::string metered_power_refusal(const std::string& report) {
  const auto powers = measured_powers(report, "p.json");
  return powers ? "" : to_text(powers.error());
}

/// A report with one device.
std::string report(const std::string& watts, const std::string& source) {
  return R"({"energy": {"devices": [{"name": "a", )" + watts + ", \"source\": \"" + source +
         "\"}]}}";
}

TEST(MeteredPower, IsReadFromAReport) {
  const std::string source = "measured (package-0)";
  const auto powers = measured_powers(report(R"("busy_w": 5.5, "idle_w": 2)", source), "p.json");
  ASSERT_TRUE(powers) << to_text(powers.error());
  ASSERT_EQ(powers->size(), 1u);
  EXPECT_EQ(powers->at("a"), (DevicePower{5.5, 2, source}));
}

TEST(MeteredPower, IsNotReadFromAReportWithoutIt) {
  const std::string watts = R"("busy_w": 5.5, "idle_w": 2)";
  EXPECT_THAT(metered_power_refusal(report(watts, "declared (measured.toml)")),
              HasSubstr("holds no measured watts"));
  EXPECT_THAT(metered_power_refusal("{}"), HasSubstr("holds no measured watts"));
  EXPECT_THAT(metered_power_refusal(report(R"("busy_w": 5.5)", "measured (x)")),
              HasSubstr("lacks a member"));
  EXPECT_THAT(metered_power_refusal(report(R"("busy_w": 1, "idle_w": 2)", "measured (x)")),
              HasSubstr("busy below idle"));
}

}  // namespace
}  // namespace opbench
