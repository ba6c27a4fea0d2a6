#include <gtest/gtest.h>

#include "experiments/unit_times/model_units.h"

namespace opbench {
namespace {

Slot slot_at(int64_t offset, int64_t bytes, Storage storage = Storage::kArena) {
  return {.storage = storage, .offset = offset, .bytes = bytes};
}

TEST(CarriedBytes, AreThoseOfTheValuesThatBothHave) {
  Program program;
  program.slots = {slot_at(0, 100), slot_at(100, 50), slot_at(0, 100, Storage::kWeights),
                   slot_at(500, 10)};
  program.steps = {{.results = {0, 1}}, {.arguments = {1, 2}}, {.arguments = {0, 1, 3}}};
  EXPECT_EQ(carried_bytes(program, 0, 1), 50);
  EXPECT_EQ(carried_bytes(program, 0, 2), 150);
  EXPECT_EQ(carried_bytes(program, 1, 2), 0);
}

TEST(CarriedBytes, CountWhatIsReadTwiceOnce) {
  Program program;
  program.slots = {slot_at(0, 100), slot_at(20, 40), slot_at(50, 50)};  // parts of the first
  program.steps = {{.results = {0}}, {.arguments = {0, 0}}, {.arguments = {1, 2}}};
  EXPECT_EQ(carried_bytes(program, 0, 1), 100);
  EXPECT_EQ(carried_bytes(program, 0, 2), 80);
}

}  // namespace
}  // namespace opbench
