#include "engines/runtime/device_runs.h"

#include <gmock/gmock.h>

#include "engines/runtime/unit_bench.h"
#include "fake_device.h"
#include "package_fixture.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// x goes to the device and comes back as `sum`; y = relu(sum) on the host.
Program there_and_back() {
  Program program = small_program();
  Slot there = arena_slot("x", {1, 6}, 128);
  there.scope = MemoryScope::kDevice;
  program.slots.push_back(there);
  program.steps = {{0, "", "identity 1x6", {0}, {4}},
                   {1, "", "identity 1x6", {4}, {2}, {0}},
                   {2, "", "relu 1x6", {2}, {3}, {1}}};
  program.steps[0].copy = StepCopy::kToDevice;
  program.steps[1].copy = StepCopy::kToHost;
  program.device_arena_bytes = 256;
  return program;
}

class DeviceRuns : public PackageFixture {
 protected:
  FakeDevice device_;
};

TEST_F(DeviceRuns, CopyBetweenTheMemories) {
  const auto package = loaded(there_and_back(), {.device = &device_});
  ASSERT_NE(package, nullptr);
  EXPECT_EQ(package->device(), &device_);
  const auto runs = make_sequential_executor(*package);
  ASSERT_TRUE(runs) << to_text(runs.error());
  ASSERT_TRUE(package->set_input(0, floats({1, 6}, {1, -2, 3, -4, 5, -6})));
  EXPECT_EQ((*runs)->run(), 0);
  EXPECT_THAT(values_of(package->output(0)), ElementsAre(1, 0, 3, 0, 5, 0));
  EXPECT_EQ(device_.waits, 1) << "a run waits once, at its end";
  std::vector<double> times(3);
  EXPECT_EQ((*runs)->run_timed(times), 0);
  EXPECT_EQ(device_.waits, 4) << "a clock between steps needs the device to have ended";
  EXPECT_EQ(device_.take_times(), (LaunchTimes{4, 2.0, 2.0}));
}

TEST_F(DeviceRuns, EndAtTheFirstStepThatFails) {
  const auto package = loaded(there_and_back(), {.device = &device_});
  ASSERT_NE(package, nullptr);
  const auto runs = make_sequential_executor(*package);
  ASSERT_TRUE(runs);
  device_.copies_left = 1;
  EXPECT_EQ((*runs)->run(), -1);
  EXPECT_THAT(values_of(package->output(0)), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_EQ(device_.waits, 0);
  EXPECT_EQ(take_failure(package->context(), -1), "unit 1: identity 1x6: the device has gone");
  EXPECT_EQ(take_failure(package->context(), 7), "a kernel returned 7") << "words are told once";
  device_.copies_left = 100;
  EXPECT_EQ((*runs)->run(), 0) << "the next run begins anew";
}

TEST_F(DeviceRuns, TellWhatTheDeviceSaysAtTheEnd) {
  const auto package = loaded(there_and_back(), {.device = &device_});
  ASSERT_NE(package, nullptr);
  const auto runs = make_sequential_executor(*package);
  ASSERT_TRUE(runs);
  device_.failure = "a launch ended with -14";
  EXPECT_EQ((*runs)->run(), -1);
  EXPECT_THAT(take_failure(package->context(), -1), HasSubstr("a launch ended with -14"));
}

TEST_F(DeviceRuns, MakeRoomForAStepAlone) {
  const auto package = loaded(there_and_back(), {.device = &device_});
  ASSERT_NE(package, nullptr);
  UnitBench bench(*package);
  const int blocks = device_.blocks;
  device_.bytes_left = 30;  // one of the values of 24 bytes
  for (const size_t step : {0, 1, 2, 0}) {
    const auto isolated = bench.isolated(step);
    ASSERT_TRUE(isolated) << step << ": " << to_text(isolated.error());
    EXPECT_EQ((*isolated)->run(), 0);
    EXPECT_LE(device_.blocks, blocks + 1);
  }
  device_.bytes_left = 20;
  const auto refused = UnitBench(*package).isolated(1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the device is full");
}

/// The copies by the worker of the device, the unit by that of the host.
Program by_two_workers() {
  Program program = there_and_back();
  program.teams = {.workers = 2,
                   .steps = {{.step = 0, .workers = {1}, .waits = {}},
                             {.step = 1, .workers = {1}, .waits = {0}},
                             {.step = 2, .workers = {0}, .waits = {1}}}};
  return program;
}

TEST_F(DeviceRuns, AreByTwoWorkersWhereThePackageHasTheirPrograms) {
  const auto package = loaded(by_two_workers(), {.threads = 2, .device = &device_});
  ASSERT_NE(package, nullptr);
  const auto runs = executor_table().find(kDefaultExecutor).value()->make(*package);
  ASSERT_TRUE(runs) << to_text(runs.error());
  ASSERT_TRUE(package->set_input(0, floats({1, 6}, {1, -2, 3, -4, 5, -6})));
  for (int run = 0; run < 50; ++run) EXPECT_EQ((*runs)->run(), 0);
  EXPECT_THAT(values_of(package->output(0)), ElementsAre(1, 0, 3, 0, 5, 0));
  EXPECT_EQ(device_.waits, 0) << "copies have ended when they return";
  device_.copies_left = 1;
  EXPECT_EQ((*runs)->run(), -1);
  EXPECT_EQ(take_failure(package->context(), -1), "unit 1: identity 1x6: the device has gone");
  device_.copies_left = 100;
  EXPECT_EQ((*runs)->run(), 0) << "the next run begins anew";
}

TEST_F(DeviceRuns, NeedAsManyWorkersAsThePackage) {
  const auto package = loaded(by_two_workers(), {.device = &device_});
  ASSERT_NE(package, nullptr);
  const auto runs = executor_table().find(kDefaultExecutor).value()->make(*package);
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().message, "the package is for 2 workers, the engine has 1");
  EXPECT_TRUE(make_sequential_executor(*package)) << "in order it needs one";
}

TEST_F(DeviceRuns, NeedADevice) {
  write(there_and_back());
  const auto refused = load();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("this engine has none"));
}

TEST_F(DeviceRuns, NeedMemoryAndBoundariesOfTheDevice) {
  write(there_and_back());
  device_.bytes_left = 100;
  const auto full = load({.device = &device_});
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message, "the device is full");
  device_.bytes_left = 1000;
  device_.boundary = 512;
  const auto crooked = load({.device = &device_});
  ASSERT_FALSE(crooked);
  EXPECT_EQ(crooked.error().message, "value \"x\" lies at byte 128 of the device's memory");
  EXPECT_EQ(device_.blocks, 0) << "what was taken is given back";
}

TEST_F(DeviceRuns, GiveTheirMemoryBack) {
  auto package = loaded(there_and_back(), {.device = &device_});
  EXPECT_EQ(device_.blocks, 1);
  package.reset();
  EXPECT_EQ(device_.blocks, 0);
}

TEST_F(DeviceRuns, RefuseAKernelThatThePackageLacks) {
  Program program = there_and_back();
  program.slots.push_back(program.slots[4]);
  program.slots.back().name = "there";
  program.slots.back().offset = 0;
  program.steps[1].needs = {2};
  program.steps.insert(program.steps.begin() + 1, Step{1, "k_none", "relu 1x6", {4}, {5}, {0}});
  program.steps[1].runs_on = MemoryScope::kDevice;
  program.steps[2] = Step{2, "", "identity 1x6", {5}, {2}, {1}};
  program.steps[2].copy = StepCopy::kToHost;
  program.steps[3].unit = 3;
  program.steps[3].needs = {2};
  const auto package = loaded(program, {.device = &device_});
  ASSERT_NE(package, nullptr);
  const auto runs = make_sequential_executor(*package);
  ASSERT_FALSE(runs);
  EXPECT_THAT(runs.error().message, HasSubstr("no kernel \"k_none_argv\""));
}

TEST_F(DeviceRuns, CheckACopyBetweenGuards) {
  const auto package = loaded(there_and_back(), {.device = &device_});
  ASSERT_NE(package, nullptr);
  UnitBench bench(*package);
  const auto up = bench.run_checked(0, {floats({1, 6}, {1, 2, 3, 4, 5, 6})});
  ASSERT_TRUE(up) << to_text(up.error());
  EXPECT_THAT(values_of(up->front()), ElementsAre(1, 2, 3, 4, 5, 6));
  const auto down = bench.run_checked(1, {floats({1, 6}, {6, 5, 4, 3, 2, 1})});
  ASSERT_TRUE(down) << to_text(down.error());
  EXPECT_THAT(values_of(down->front()), ElementsAre(6, 5, 4, 3, 2, 1));
  const auto alone = bench.isolated(1);
  ASSERT_TRUE(alone) << to_text(alone.error());
  EXPECT_EQ((*alone)->run(), 0);
}

}  // namespace
}  // namespace opbench
