#include "measuring/sampling/aa_floor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "base/files/file.h"

namespace opbench {
namespace {

const FloorKey kConv{"conv2d 1x3x8x8 w:4x3x3x3", "halide", 2};
const FloorKey kSoftmax{"softmax 1x10", "halide", 2};

FloorRun run_of(const std::string& noise_class, std::vector<FloorUnit> units) {
  return {"2026-11-21T15:00:00Z", noise_class, std::move(units)};
}

class AaFloorFile : public testing::Test {
 protected:
  AaFloorFile() : place_(TemporaryFolder::make_in(testing::TempDir()).value()) {}
  std::filesystem::path file() const { return floor_file(place_.path() / "floors", "abc"); }
  TemporaryFolder place_;
};

TEST(AaFloor, IsTakenFromTheLogarithmOfARatio) {
  const FloorUnit unit = floor_unit_of(kConv, {std::log(0.98), {std::log(0.97), std::log(0.99)}});
  EXPECT_NEAR(unit.effect, 0.02, 1e-12);
  EXPECT_NEAR(unit.half_width, 0.01, 1e-12);
}

TEST(AaFloor, OfAUnitIsThatOfItsOwnRunsOnceThereAreFive) {
  const FloorRun run = run_of("quiet", {{kConv, 0.01, 0}, {kSoftmax, 0.5, 0}});
  std::vector<FloorRun> kept;
  for (int i = 2; i <= 4; ++i) kept.push_back(run_of("quiet", {{kConv, 0.01 * i, 0}}));
  kept.push_back(run_of("shared", {{kConv, 0.9, 0}}));
  // Four of its own: all six units of the run and the kept ones count, 0.01 to 0.04 and 0.5.
  EXPECT_NEAR(unit_floor(kConv, run, kept).value(), 0.04 + 0.8 * 0.46, 1e-9);
  kept.push_back(run_of("quiet", {{kConv, 0.05, 0}}));
  EXPECT_NEAR(unit_floor(kConv, run, kept).value(), 0.04 + 0.8 * 0.01, 1e-9);
}

TEST(AaFloor, OfAUnitTakesOnlyTheUnitsOfThisRun) {
  const FloorRun run = run_of("quiet", {{kConv, 0.01, 0}});
  const std::vector<FloorRun> kept = {run_of("quiet", {{kSoftmax, 0.7, 0}})};
  EXPECT_DOUBLE_EQ(unit_floor(kConv, run, kept).value(), 0.01);
  EXPECT_NEAR(machine_floor(run, kept).value(), 0.01 + 0.95 * 0.69, 1e-9);
}

TEST(AaFloor, TellsEnginesAndThreadsApart) {
  FloorKey other = kConv;
  other.threads = 1;
  FloorRun run = run_of("quiet", {{kConv, 0.01, 0}});
  const std::vector<FloorRun> kept(5, run_of("quiet", {{other, 0.3, 0}}));
  EXPECT_DOUBLE_EQ(unit_floor(kConv, run, kept).value(), 0.01);
}

TEST(AaFloor, IsUnknownWithoutPairs) {
  EXPECT_FALSE(unit_floor(kConv, run_of("quiet", {}), {}));
  EXPECT_FALSE(machine_floor(run_of("quiet", {}), {}));
}

TEST_F(AaFloorFile, KeepsRuns) {
  const FloorRun first = run_of("quiet", {{kConv, 0.0125, 0.002}});
  const FloorRun second = run_of("hostile", {{kSoftmax, 0.3, 0.1}, {kConv, 0.2, 0.05}});
  EXPECT_TRUE(read_floor_runs(file()).empty());
  ASSERT_TRUE(append_floor_run(file(), first));
  ASSERT_TRUE(append_floor_run(file(), second));
  EXPECT_EQ(read_floor_runs(file()), (std::vector<FloorRun>{first, second}));
}

TEST_F(AaFloorFile, LeavesOutTornLinesAndGoesOnAfterThem) {
  const FloorRun run = run_of("quiet", {{kConv, 0.01, 0}});
  ASSERT_TRUE(append_floor_run(file(), run));
  const std::string line = floor_line(run);
  std::ofstream(file(), std::ios::app) << "[]\n{\"timestamp\": 3}\n" << line.substr(0, 30);
  EXPECT_EQ(read_floor_runs(file()).size(), 1U);
  ASSERT_TRUE(append_floor_run(file(), run));
  EXPECT_EQ(read_floor_runs(file()), (std::vector<FloorRun>{run, run}));
}

TEST_F(AaFloorFile, CountsTheNewest200Runs) {
  std::string lines;
  for (int i = 0; i < 250; ++i) {
    FloorRun run = run_of("quiet", {});
    run.timestamp = std::to_string(i);
    lines += floor_line(run);
  }
  ASSERT_TRUE(make_writable_folder(file().parent_path()));
  std::ofstream(file()) << lines;
  const std::vector<FloorRun> runs = read_floor_runs(file());
  ASSERT_EQ(runs.size(), 200U);
  EXPECT_EQ(runs.front().timestamp, "50");
  EXPECT_EQ(runs.back().timestamp, "249");
}

TEST_F(AaFloorFile, RefusesAFolderThatCannotBe) {
  std::ofstream(place_.path() / "floors") << "a file";
  EXPECT_EQ(append_floor_run(file(), {}).error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace opbench
