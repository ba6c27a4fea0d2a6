#include <gtest/gtest.h>

#include "experiments/unit_times/model_units.h"

namespace opbench {
namespace {

/// Four units; the first, second and fourth read the weights at 0, the third others.
struct Sample {
  Program program;
  TimedGraph timed{.times = {.teams = {1, 2}}};
};

Sample sample() {
  Sample sample;
  const auto weights = [&](int64_t offset, int64_t bytes) {
    sample.program.slots.push_back(
        {.storage = Storage::kWeights, .offset = offset, .bytes = bytes});
    return static_cast<int>(sample.program.slots.size()) - 1;
  };
  sample.program.slots.push_back({.storage = Storage::kArena, .bytes = 5000});
  const int matrix = weights(0, 1000);
  const int bias = weights(1000, 10);
  const int other = weights(2000, 1000);
  for (const int read : {matrix, matrix, other, matrix}) {
    sample.program.steps.push_back({.arguments = {0, bias, read}});
    sample.timed.add({.name = "u", .kind = "k"}, {.times_ms = {2, 1}});
  }
  return sample;
}

TEST(Reuse, IsOfTheLargestWeightsThatSeveralUnitsRead) {
  Sample given = sample();
  EXPECT_EQ(largest_weights(given.program, given.program.steps[2])->offset, 2000);
  set_reuse(given.program, {.ms_per_byte = 1e-3, .most_bytes = 1000}, given.timed);
  const auto& units = given.timed.graph.units;
  EXPECT_EQ(units[0].weights, units[3].weights);
  EXPECT_EQ(units[0].weights, units[1].weights);
  EXPECT_EQ(units[2].weights, GraphUnit::kNoWeights) << "nobody else reads them";
  EXPECT_DOUBLE_EQ(given.timed.times_of(0).reuse_ms, 1);
  EXPECT_DOUBLE_EQ(given.timed.times_of(1).reuse_ms, 0) << "it was timed right behind the first";
  EXPECT_DOUBLE_EQ(given.timed.times_of(3).reuse_ms, 1);
  EXPECT_TRUE(check_timed(given.timed));
}

TEST(Reuse, LeavesTimeToCompute) {
  Sample given = sample();
  set_reuse(given.program, {.ms_per_byte = 1, .most_bytes = 1000}, given.timed);
  EXPECT_DOUBLE_EQ(given.timed.times_of(0).reuse_ms, 1.6);
  EXPECT_TRUE(check_timed(given.timed));
}

TEST(Reuse, IsNoneOfWeightsThatTheCacheDoesNotHold) {
  Sample given = sample();
  set_reuse(given.program, {.ms_per_byte = 1e-3, .most_bytes = 999}, given.timed);
  for (const GraphUnit& unit : given.timed.graph.units) {
    EXPECT_EQ(unit.weights, GraphUnit::kNoWeights);
  }
}

}  // namespace
}  // namespace opbench
