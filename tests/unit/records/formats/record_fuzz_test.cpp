#include "record_fuzz.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(RecordFuzz, EveryDamagedFileGivesRecordsOrErrors) {
  const auto fuzz = RecordFuzz::make(20261121, OPBENCH_TEST_FIXTURES);
  ASSERT_TRUE(fuzz);
  ASSERT_GT(fuzz->files(), 30u);
  for (uint64_t number = 0; number < 1000; ++number) {
    const std::string input = fuzz->input(number);
    const auto held = fuzz->run(input);
    ASSERT_TRUE(held) << "input " << number << ": " << held.error().message;
  }
}

TEST(RecordFuzz, AVeryLongLineTakesLittleMemory) {
  const auto fuzz = RecordFuzz::make(1, OPBENCH_TEST_FIXTURES);
  ASSERT_TRUE(fuzz);
  const auto held = fuzz->run_long_lines(int64_t{200} << 20);
  EXPECT_TRUE(held) << held.error().message;
}

}  // namespace
}  // namespace opbench
