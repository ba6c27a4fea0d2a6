#include "presentation/report/replay/replay_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

using testing::HasSubstr;
using testing::Not;

ReplayRow row(int64_t number, ReplayOutcome outcome, double then_ms, double now_ms) {
  ReplayRow result;
  result.number = number;
  result.item.record.scope = "unit";
  result.item.record.workload = "opbench.relu 4";
  result.item.record.workload_args = JsonText{R"({"operator": "relu", "shapes": "4 -> 4"})"};
  result.item.record.engine = "halide";
  result.item.record.runtime_ms_median = then_ms;
  result.item.record.runtime_ms_low = then_ms - 0.1;
  result.item.record.runtime_ms_high = then_ms + 0.1;
  result.verdict.outcome = outcome;
  result.verdict.reason = "a reason";
  result.now.emplace();
  result.now->median_ms = now_ms;
  result.now->low_ms = now_ms - 0.2;
  result.now->high_ms = now_ms + 0.2;
  return result;
}

ReplayResult sample_replay_report() {
  ReplayResult result;
  result.rows = {row(1, ReplayOutcome::kReproduced, 2, 2.01),
                 row(2, ReplayOutcome::kNotReproduced, 2, 3),
                 row(5, ReplayOutcome::kNotReproduced, 4, 6)};
  for (ReplayRow& entry : result.rows) {
    entry.verdict.differences = {{"machine.cores", "4", "8"},
                                 {"software.libc", "\"2.36\"", "null"}};
  }
  return result;
}

TEST(ReplayReport, ShowsThenAndNowWithTheirRatio) {
  const std::string text = replay_text(sample_replay_report(), 0, {});
  EXPECT_THAT(text, HasSubstr("     2  relu 4 -> 4  halide        1  2.000 [1.900, 2.100]  3.000 "
                              "[2.800, 3.200]  1.500  not reproduced\n    a reason\n"));
  EXPECT_THAT(text, HasSubstr("1 of 3 records reproduced\n"));
}

TEST(ReplayReport, NamesEachSetOfDifferencesOnce) {
  const std::string text = replay_text(sample_replay_report(), 0, {});
  EXPECT_THAT(text, HasSubstr("what differs from records 2, 5:\n"
                              "field          then    now\n"
                              "machine.cores  4       8\n"
                              "software.libc  \"2.36\"  null\n"));
}

TEST(ReplayReport, SaysNothingOfTheEnvironmentWhenAllIsReproduced) {
  ReplayResult result = sample_replay_report();
  result.rows.resize(1);
  EXPECT_THAT(replay_text(result, 0, {}), Not(HasSubstr("differs")));
  EXPECT_EQ(replay_summary(result), "");
}

TEST(ReplayReport, CountsByVerdict) {
  ReplayResult result = sample_replay_report();
  result.rows[0].verdict.outcome = ReplayOutcome::kFailed;
  EXPECT_EQ(replay_summary(result), "1 of 3 failed, 2 of 3 were not reproduced");
}

TEST(ReplayReport, LeavesOutWhatThereIsNot) {
  ReplayResult result = sample_replay_report();
  result.rows.resize(1);
  ReplayRow& only = result.rows[0];
  only.now.reset();
  only.item.record.runtime_ms_median.reset();
  only.item.record.runtime_ms_mean = 2;
  only.item.record.runtime_ms_low.reset();
  only.item.record.workload_args.reset();
  EXPECT_THAT(replay_text(result, 0, {}), HasSubstr("opbench.relu 4  halide        1  2.000  -"));
  const Json record = replay_json(result)["records"][0];
  EXPECT_TRUE(record["now_ms"].is_null());
  EXPECT_TRUE(record["ratio"].is_null());
  EXPECT_TRUE(record["then_ms"]["low"].is_null());
}

TEST(ReplayReport, IsJsonWithOneObjectARecord) {
  const Json json = replay_json(sample_replay_report());
  EXPECT_EQ(json["schema"], "opbench.replay/1");
  EXPECT_EQ(json["reproduced"], 1);
  EXPECT_EQ(json["total"], 3);
  const Json& record = json["records"][1];
  EXPECT_EQ(record["record"], 2);
  EXPECT_EQ(record["ratio"], 1.5);
  EXPECT_EQ(record["verdict"], "not reproduced");
  EXPECT_EQ(record["differences"][0]["then"], 4);
  EXPECT_TRUE(record["record_id"].is_null());
}

}  // namespace
}  // namespace opbench
