#include "experiments/together/config_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::ElementsAre;

UnitConfig config_list_config(double one_ms, double resident, double dram) {
  return {
      .kernel = {}, .one_ms = one_ms, .two_ms = {}, .resident_bytes = resident, .dram_bytes = dram};
}

std::vector<double> times_of(const std::vector<UnitConfig>& list) {
  std::vector<double> times;
  for (const UnitConfig& one : list) times.push_back(one.one_ms);
  return times;
}

TEST(ConfigList, KeepsWhatNoOtherConfigBeats) {
  const auto list = pareto_list({config_list_config(3, 10, 10), config_list_config(1, 30, 10),
                                 config_list_config(2, 20, 10), config_list_config(2.5, 20, 10)},
                                8);
  EXPECT_THAT(times_of(list), ElementsAre(1, 2, 3));
}

TEST(ConfigList, KeepsAConfigThatMovesFewerBytesAlone) {
  EXPECT_THAT(
      times_of(pareto_list({config_list_config(1, 10, 20), config_list_config(2, 10, 19)}, 8)),
      ElementsAre(1, 2));
}

TEST(ConfigList, KeepsTheFirstOfEquals) {
  auto first = config_list_config(1, 10, 10), second = config_list_config(1, 10, 10);
  first.kernel.origin = "first";
  second.kernel.origin = "second";
  const auto list = pareto_list({first, second}, 8);
  ASSERT_EQ(list.size(), 1);
  EXPECT_EQ(list.front().kernel.origin, "first");
}

TEST(ConfigList, KeepsTheFastestAndTheMostFrugalOfMany) {
  const auto list = pareto_list({config_list_config(1, 40, 1), config_list_config(2, 30, 1),
                                 config_list_config(3, 20, 1), config_list_config(4, 10, 1)},
                                3);
  EXPECT_THAT(times_of(list), ElementsAre(1, 3, 4));
  EXPECT_THAT(times_of(pareto_list(list, 1)), ElementsAre(1));
}

}  // namespace
}  // namespace opbench
