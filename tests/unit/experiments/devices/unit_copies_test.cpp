#include "experiments/devices/unit_copies.h"

#include <gmock/gmock.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;

CopyTime copy_of(int64_t bytes, double ms) { return {.value = "x", .bytes = bytes, .ms = ms}; }

TEST(UnitCopies, LieOnALine) {
  const TransferCost cost =
      cost_of_copies({copy_of(1000, 0.011), copy_of(100000, 0.11), copy_of(4000, 0.014)});
  EXPECT_NEAR(cost.latency_ms, 0.01, 1e-9);
  EXPECT_NEAR(cost.ms_per_byte, 1e-6, 1e-12);
  EXPECT_THAT(cost.source, HasSubstr("3 copies of the model timed, 1000 bytes in 0.011 ms to "
                                     "100000 in 0.11"));
}

TEST(UnitCopies, HaveNoTimeBelow0) {
  const TransferCost same = cost_of_copies({copy_of(1000, 0.02), copy_of(1000, 0.02)});
  EXPECT_EQ(same.latency_ms, 0);
  EXPECT_NEAR(same.ms_per_byte, 2e-5, 1e-12);
  const TransferCost falling = cost_of_copies({copy_of(1000, 0.03), copy_of(9000, 0.01)});
  EXPECT_EQ(falling.ms_per_byte, 0);
  EXPECT_GT(falling.latency_ms, 0.009);
  const TransferCost steep = cost_of_copies({copy_of(1000, 0.001), copy_of(9000, 0.1)});
  EXPECT_EQ(steep.latency_ms, 0);
  EXPECT_GT(steep.ms_per_byte, 0);
  EXPECT_EQ(cost_of_copies({}).latency_ms, 0);
}

TEST(UnitCopies, TakeTheTimeOfTheirNeighboursInSize) {
  const auto copy = [](bool is_to_device, int64_t bytes, double ms) {
    return CopyTime{"x", is_to_device, bytes, ms};
  };
  const StepCosts costs{.to_device = {},
                        .to_host = {.latency_ms = 7, .ms_per_byte = 0.001},
                        .layout = {},
                        .crossing = {},
                        .copies = {copy(false, 1000, 1), copy(false, 1000, 3), copy(false, 1000, 2),
                                   copy(false, 3000, 10), copy(true, 2000, 50)}};
  EXPECT_EQ(copy_ms(costs, false, 1000), 2) << "the median";
  EXPECT_DOUBLE_EQ(copy_ms(costs, false, 2000), 6);
  EXPECT_EQ(copy_ms(costs, true, 2000), 50);
  EXPECT_DOUBLE_EQ(copy_ms(costs, false, 4000), 11) << "the line";
  EXPECT_DOUBLE_EQ(copy_ms(costs, false, 500), 7.5);
}

TEST(UnitCopies, AreTheStepsThatCopy) {
  Program program;
  program.slots = {Slot{.name = "x", .bytes = 24}, Slot{.name = "y", .bytes = 8}};
  program.steps = {Step{.unit = 0, .arguments = {0}, .results = {0}, .copy = StepCopy::kToDevice},
                   Step{.unit = 1, .arguments = {0}, .results = {1}},
                   Step{.unit = 2, .arguments = {1}, .results = {1}, .copy = StepCopy::kToHost}};
  const std::vector<CopyTime> copies = copies_of(program, {{.ms = 1}, {.ms = 2}, {.ms = 3}});
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0], (CopyTime{"x", true, 24, 1}));
  EXPECT_EQ(copies[1], (CopyTime{"y", false, 8, 3}));
}

}  // namespace
}  // namespace opbench
