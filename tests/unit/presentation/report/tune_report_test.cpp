#include "presentation/report/tune/tune_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json/json.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TunedTask tuned(const std::string& unit, int64_t uses, double best_s, double default_s) {
  TunedTask task{.uses = uses};
  task.task.name = "conv2d_direct.opbench";
  task.task.arguments = {Argument::of_string(unit)};
  task.flops = 1e6;
  task.state.best = BestConfig{.logged_s = best_s, .fresh_s = best_s, .default_s = default_s};
  return task;
}

TEST(TuneReport, SaysWhatTheModelGained) {
  TuneResult result;
  result.tasks = {tuned("a", 2, 1e-3, 2e-3), tuned("b", 1, 6e-3, 1e-3)};
  const ModelGain gain = model_gain(result);
  EXPECT_EQ(gain.units, 2U);
  EXPECT_EQ(gain.slower, 1U);
  EXPECT_DOUBLE_EQ(gain.default_s, 5e-3);
  EXPECT_DOUBLE_EQ(gain.tuned_s, 3e-3);
  EXPECT_THAT(
      gain_lines(result),
      ElementsAre("2 tuned units, counted as often as the model has them, take 5.000 ms with "
                  "default configs and 3.000 ms tuned: 1.67 times as fast",
                  "--tuning-log will keep the default config of 1 of them, where no trial is "
                  "faster"));
}

TEST(TuneReport, CountsAUnitOnceWhateverItsSchedules) {
  TuneResult result;
  result.tasks = {tuned("a", 1, 3e-3, 2e-3), tuned("a", 1, 1e-3, 2e-3)};
  EXPECT_EQ(model_gain(result).units, 1U);
  EXPECT_DOUBLE_EQ(model_gain(result).tuned_s, 1e-3);
}

TEST(TuneReport, HasNoGainWithoutADefault) {
  TuneResult result;
  result.tasks = {tuned("a", 1, 1e-3, 2e-3)};
  result.tasks[0].state.best->default_s.reset();
  EXPECT_THAT(gain_lines(result), IsEmpty());
  EXPECT_TRUE(Json::parse(tuned_task_json(result.tasks[0])).at("default_s").is_null());
  EXPECT_TRUE(Json::parse(tune_summary_json(result, "a", "llvm")).at("model").is_null());
}

TEST(TuneReport, HasTheDefaultBesideTheBest) {
  TuneResult result;
  result.tasks = {tuned("a", 1, 1e-3, 2e-3)};
  const Json json = Json::parse(tuned_task_json(result.tasks[0]));
  EXPECT_EQ(json.at("default_s"), 2e-3);
  EXPECT_EQ(json.at("times_as_fast"), 2);
  const TextTable table = tune_table(result);
  EXPECT_EQ(table.rows[0].cells.size(), table.columns.size());
  EXPECT_EQ(Json::parse(tune_summary_json(result, "a", "llvm")).at("model").at("tuned_s"), 1e-3);
}

}  // namespace
}  // namespace opbench
