#include "presentation/report/profile/rival_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "presentation/report/profile/profile_table.h"
#include "sample_profile.h"

namespace opbench {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

ProfileResult two_engines() {
  ProfileResult result = sample_profile();
  EngineResult& first = result.engines[0];
  first.units[1].in_place_ms = 1;
  first.units[1].total_ms = 1;
  for (UnitResult& unit : first.units) unit.count = 1;
  result.engines.push_back(first);
  EngineResult& second = result.engines[1];
  second.engine = "onnxruntime";
  second.units[0].in_place_ms = 4.5;
  second.units[1].in_place_ms = 0.5;
  second.units[2].failure.reset();
  second.units[2].in_place_ms = 0.25;
  return result;
}

TEST(RivalTable, HasATimeAnEngineAndItsRatioToTheFirst) {
  const std::string text = profile_table(two_engines(), 0, {});
  EXPECT_THAT(text,
              ContainsRegex("operator +shapes +count +halide +onnxruntime +to halide +share"));
  EXPECT_THAT(text, ContainsRegex("k3 -> 64x56x56 +1 +2\\.250 +4\\.500 +2\\.00 ×"));
  EXPECT_THAT(text, ContainsRegex("max_pool +64x112x112 k3 s2 +1 +1\\.000 +0\\.500 +0\\.50 ×"));
  EXPECT_THAT(text, ContainsRegex("softmax +1x1000 +1 +failed +0\\.250 +- "));
  EXPECT_THAT(text, HasSubstr("halide failed: run_error: killed by signal 11"));
  EXPECT_THAT(text, Not(HasSubstr("cumulated")));
}

TEST(RivalTable, PutsEnginesTogetherThatHaveOneNumberOfThreads) {
  ProfileResult result = two_engines();
  result.engines[1].threads = 2;
  EXPECT_THAT(profile_table(result, 0, {}), Not(HasSubstr("to halide")));
}

TEST(RivalTable, RanksNothingThatWasTimedElsewhere) {
  ProfileResult result = two_engines();
  for (UnitResult& unit : result.engines[1].units) unit.in_place_ms.reset();
  for (UnitResult& unit : result.engines[0].units) unit.time.reset();
  result.cache = "cold-weights";
  const std::string text = profile_table(result, 0, {});
  EXPECT_THAT(text, ContainsRegex("ms in model hot +ms isolated cold"));
  EXPECT_THAT(text, ContainsRegex("2\\.250 +2\\.000 +- "));
}

}  // namespace
}  // namespace opbench
