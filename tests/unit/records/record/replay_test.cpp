#include "records/record/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

#include "recorded_profile.h"

namespace opbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(Replay, KnowsWhatToRunAgain) {
  const auto items = plan_replay(to_lines(records()));
  ASSERT_TRUE(items) << to_text(items.error());
  ASSERT_EQ(items->size(), 3U);
  const ReplayItem& unit = items->at(1);
  EXPECT_EQ(workload_text(unit.identity), "conv2d 1x3x224x224 w:64x3x7x7; relu");
  EXPECT_EQ(unit.threads, 2);
  EXPECT_EQ(unit.cpus, (std::vector<int>{0, 1}));
  EXPECT_EQ(unit.seed, 7U);
  EXPECT_EQ(unit.source, "zoo");
  EXPECT_EQ(unit.model_sha256, "abc");
  EXPECT_EQ(unit.group, items->at(0).group);
  EXPECT_EQ(workload_text(items->at(0).identity), "");
  EXPECT_EQ(items->at(0).record.argv->size(), 5U);
}

TEST(Replay, RefusesAFileWithABadRecord) {
  Json record = to_json(records()[0]);
  record["runtime_ms_mean"] = -1;
  const auto items = plan_replay(record.dump());
  ASSERT_FALSE(items);
  EXPECT_THAT(items.error().message, HasSubstr("runtime_ms_mean"));
  EXPECT_EQ(items.error().facts.front().text, "E_NEGATIVE");
}

TEST(Replay, ReproducesWithinTheWidenedInterval) {
  const Environment now = environment_from(Json::parse(kRecordedEnvironment));
  const BenchmarkRecord record = records()[1];  // 2.97 to 3.03 ms; widened 2.91 to 3.09
  EXPECT_EQ(judge_replay(record, measurement(3.1), now).outcome, ReplayOutcome::kReproduced);
  EXPECT_EQ(judge_replay(record, measurement(2.9), now).outcome, ReplayOutcome::kReproduced);
  const ReplayVerdict slower = judge_replay(record, measurement(3.2), now);
  EXPECT_EQ(slower.outcome, ReplayOutcome::kNotReproduced);
  EXPECT_NEAR(slower.change_percent.value(), 6.667, 1e-3);
  EXPECT_THAT(slower.reason, HasSubstr("3.2 ms"));
  EXPECT_EQ(judge_replay(record, measurement(2.8), now).outcome, ReplayOutcome::kNotReproduced);
  EXPECT_EQ(judge_replay(record, measurement(3.2), now, {.aa_floor = 0.03}).outcome,
            ReplayOutcome::kReproduced);
  EXPECT_THAT(slower.differences, IsEmpty());
}

TEST(Replay, ComparesNothingAcrossMachines) {
  Json other = Json::parse(kRecordedEnvironment);
  other["machine"]["cpu_model"] = "Xeon 6";
  other["machine_hash"] = "m2";
  const ReplayVerdict verdict = judge_replay(records()[1], measurement(3), environment_from(other));
  EXPECT_EQ(verdict.outcome, ReplayOutcome::kNotComparable);
  ASSERT_EQ(verdict.differences.size(), 1U);
  EXPECT_EQ(verdict.differences[0],
            (EnvironmentDifference{"machine.cpu_model", "\"Xeon 5\"", "\"Xeon 6\""}));
  BenchmarkRecord unknown = records()[1];
  unknown.machine_hash.reset();
  EXPECT_EQ(judge_replay(unknown, measurement(3), environment_from(other)).outcome,
            ReplayOutcome::kNotComparable);
  EXPECT_EQ(name_of(verdict.outcome), "not comparable");
}

TEST(Replay, ComparesNothingAcrossClocks) {
  const Environment now = environment_from(Json::parse(kRecordedEnvironment));
  Measurement simulated = measurement(3);
  simulated.clock = TimeClock::kSimulated;
  const ReplayVerdict verdict = judge_replay(records()[1], simulated, now);
  EXPECT_EQ(verdict.outcome, ReplayOutcome::kNotComparable);
  EXPECT_THAT(verdict.reason, HasSubstr("different clocks, wall and simulated"));
  BenchmarkRecord old = records()[1];
  old.execution_config.reset();
  EXPECT_EQ(judge_replay(old, measurement(3), now).outcome, ReplayOutcome::kReproduced)
      << "records from before clocks were told";
}

TEST(Replay, ListsWhatHasChangedOnTheSameMachine) {
  Json now = Json::parse(kRecordedEnvironment);
  now["software"]["distribution"] = "Debian 13";
  now["state"]["governor"] = "powersave";
  const ReplayVerdict verdict = judge_replay(records()[1], measurement(4), environment_from(now));
  EXPECT_EQ(verdict.outcome, ReplayOutcome::kNotReproduced);
  std::set<std::string> fields;
  for (const auto& difference : verdict.differences) fields.insert(difference.field);
  EXPECT_EQ(fields, (std::set<std::string>{"software.distribution", "state.governor"}));
}

TEST(Replay, ExpectsAFailureToFailAgain) {
  const Environment now = environment_from(Json::parse(kRecordedEnvironment));
  const Outcome<Measurement> failed =
      tl::make_unexpected(Failure{FailureKind::kRunTimeout, "no reply"});
  EXPECT_EQ(judge_replay(records()[2], failed, now).outcome, ReplayOutcome::kReproduced);
  EXPECT_EQ(judge_replay(records()[2], measurement(3), now).outcome, ReplayOutcome::kNotReproduced);
  const ReplayVerdict lost = judge_replay(records()[1], failed, now);
  EXPECT_EQ(lost.outcome, ReplayOutcome::kFailed);
  EXPECT_EQ(lost.reason, "it ran then and fails now: run_timeout: no reply");
  EXPECT_EQ(name_of(lost.outcome), "failed");
}

TEST(Replay, GivesTimesWithoutAnIntervalAWiderMargin) {
  const Environment now = environment_from(Json::parse(kRecordedEnvironment));
  BenchmarkRecord record = records()[1];
  record.runtime_ms_median.reset();
  record.runtime_ms_low.reset();
  record.runtime_ms_high.reset();
  record.runtime_ms_mean = 2;
  const auto outcome = [&](double ms) {
    Measurement time;
    time.median_ms = time.low_ms = time.high_ms = ms;
    return judge_replay(record, time, now).outcome;
  };
  EXPECT_EQ(outcome(2.19), ReplayOutcome::kReproduced);
  EXPECT_EQ(outcome(1.81), ReplayOutcome::kReproduced);
  EXPECT_EQ(outcome(2.21), ReplayOutcome::kNotReproduced);
  record.runtime_ms_mean = 0.002;  // a profiler's clock may count microseconds
  EXPECT_EQ(outcome(0.003), ReplayOutcome::kReproduced);
  EXPECT_EQ(outcome(0.004), ReplayOutcome::kNotReproduced);
}

TEST(Replay, LeavesOutWhatChangesAllTheTime) {
  Json now = Json::parse(kRecordedEnvironment);
  now["state"]["temperature_c"] = 60;
  now["state"]["steal_s"] = 1.5;
  now["state"]["load_average"] = 3;
  const ReplayVerdict verdict = judge_replay(records()[1], measurement(4), environment_from(now));
  ASSERT_EQ(verdict.differences.size(), 1U);
  EXPECT_EQ(verdict.differences[0].field, "state.load_average");
}

TEST(Replay, FindsTheRequestInARecord) {
  ProfileResult result = profile();
  result.request_json = R"({"budget_s": 3})";
  const auto all = records_of(result).value();
  const auto items = plan_replay(to_lines(all)).value();
  EXPECT_EQ(items.at(0).request, R"({"budget_s":3})");
  EXPECT_EQ(plan_replay(to_lines(records())).value().at(0).request, "");
}

}  // namespace
}  // namespace opbench
