#include "machine/facts/energy_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/files/file.h"
#include "machine/facts/environment.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder that stands for /sys/class/powercap, or for the root of a machine.
class FakeMeters {
 public:
  FakeMeters() : folder_(TemporaryFolder::make().value()) {}
  const fs::path& path() const { return folder_.path(); }
  FakeMeters& zone(const std::string& folder, const std::string& name, const std::string& counter) {
    fs::create_directories(path() / folder);
    EXPECT_TRUE(write_file(path() / folder / "name", name + "\n"));
    EXPECT_TRUE(write_file(path() / folder / "energy_uj", counter + "\n"));
    EXPECT_TRUE(write_file(path() / folder / "max_energy_range_uj", "1000000\n"));
    return *this;
  }

 private:
  TemporaryFolder folder_;
};

std::string refusal(const fs::path& folder) {
  const auto meter = find_energy_meter(folder);
  if (meter) return "";
  EXPECT_EQ(meter.error().code, ErrorCode::kEnvironment);
  return to_text(meter.error());
}

TEST(EnergyMeter, IsAllPackagesWithoutTheirPartsAndThePlatform) {
  FakeMeters meters;
  meters.zone("intel-rapl", "control", "1")
      .zone("intel-rapl:1", "package-1", "70")
      .zone("intel-rapl:0", "package-0", "5")
      .zone("intel-rapl:0:0", "core", "3")
      .zone("intel-rapl:2", "psys", "9")
      .zone("intel-rapl-mmio:0", "package-0", "5")
      .zone("dtpm:0", "package-0", "5");
  const auto meter = find_energy_meter(meters.path());
  ASSERT_TRUE(meter) << to_text(meter.error());
  EXPECT_EQ(name_of(*meter), "package-0, package-1");
  EXPECT_EQ(meter->zones[1], (EnergyZone{"package-1", meters.path() / "intel-rapl:1", 1000000}));
  const auto reading = read_energy(*meter);
  ASSERT_TRUE(reading) << to_text(reading.error());
  EXPECT_EQ(reading->counters_uj, (std::vector<uint64_t>{5, 70}));
  EXPECT_GT(reading->at_s, 0);
}

TEST(EnergyMeter, GivesJoulesOverOneNewStartOfACounter) {
  const EnergyMeter meter{{{"package-0", "", 1000000}, {"package-1", "", 500000}}};
  EXPECT_DOUBLE_EQ(joules_between(meter, {{100, 0}, 1}, {{300100, 200000}, 2}), 0.5);
  EXPECT_DOUBLE_EQ(joules_between(meter, {{900000, 0}, 1}, {{100000, 0}, 2}), 0.2);
  EXPECT_DOUBLE_EQ(joules_between(meter, {{900000, 400000}, 1}, {{100000, 50000}, 2}), 0.35);
  EXPECT_DOUBLE_EQ(joules_between(meter, {{7, 7}, 1}, {{7, 7}, 2}), 0);
}

TEST(EnergyMeter, SaysWhyThereIsNone) {
  const FakeMeters nothing;
  EXPECT_THAT(refusal(nothing.path() / "powercap"), HasSubstr("there is no folder \""));
  EXPECT_THAT(refusal(nothing.path()), HasSubstr("no energy meter of a package in \""));
  FakeMeters parts;
  parts.zone("intel-rapl:0", "psys", "1").zone("intel-rapl:0:0", "package-0", "1");
  EXPECT_THAT(refusal(parts.path()), HasSubstr("no energy meter of a package in \""));
}

TEST(EnergyMeter, NamesAFileThatCannotBeRead) {
  FakeMeters meters;
  meters.zone("intel-rapl:0", "package-0", "1");
  const fs::path counter = meters.path() / "intel-rapl:0/energy_uj";
  ASSERT_TRUE(write_file(counter, "many\n"));
  EXPECT_THAT(refusal(meters.path()), HasSubstr("energy_uj\" holds no number"));
  fs::remove(counter);
  EXPECT_THAT(refusal(meters.path()), HasSubstr("cannot read \"" + counter.string()));
  fs::create_directory(counter);
  EXPECT_THAT(refusal(meters.path()), HasSubstr("cannot read \"" + counter.string()));
}

TEST(EnergyMeter, SaysThatOnlyRootMayReadIt) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
  FakeMeters meters;
  meters.zone("intel-rapl:0", "package-0", "1");
  const fs::path counter = meters.path() / "intel-rapl:0/energy_uj";
  fs::permissions(counter, fs::perms::none);
  EXPECT_THAT(refusal(meters.path()), HasSubstr("only root may read \"" + counter.string()));
}

TEST(EnergyMeter, IsAFactOfTheStateThatLeavesTheMachineAsItIs) {
  FakeMeters root;
  const Json without = to_json(capture_environment(root.path()));
  EXPECT_TRUE(without["state"]["energy_meter"].is_null());
  EXPECT_THAT(without["state"]["energy_meter_reason"].get<std::string>(), HasSubstr("powercap"));
  root.zone("sys/class/powercap/intel-rapl:0", "package-0", "1");
  const Json with = to_json(capture_environment(root.path()));
  EXPECT_EQ(with["state"]["energy_meter"], "package-0");
  EXPECT_EQ(with["machine_hash"], without["machine_hash"]);
  EXPECT_EQ(with["software_hash"], without["software_hash"]);
}

}  // namespace
}  // namespace opbench
