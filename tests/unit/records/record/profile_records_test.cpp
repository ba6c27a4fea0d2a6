#include "records/record/profile_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

#include "records/record/record_environment.h"
#include "records/record/record_validation.h"
#include "records/record/replay.h"

namespace opbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kEnvironment = R"({
  "machine": {"cpu_model": "Xeon 5", "memory_bytes": 8000000000, "system_product": null},
  "state": {"governor": null, "governor_reason": "no frequency control"},
  "software": {"distribution": "Debian 12", "container_digest": null,
               "container_digest_reason": "not in a container"},
  "machine_hash": "m1", "software_hash": "s1"})";

Measurement measurement(double median) {
  Measurement time;
  time.median_ms = time.mean_ms = median;
  time.low_ms = median * 0.99;
  time.high_ms = median * 1.01;
  time.min_ms = median * 0.98;
  time.std_ms = 0.1;
  time.effective_n = 3;
  time.number = 4;
  time.processes = 1;
  time.stop_reason = "precision";
  time.dropped = {{"preempted", 1}};
  for (int i = 0; i < 4; ++i) {
    Sample sample;
    sample.wall_s = median * 1e-3;
    sample.cpu_s = median * 1e-3;
    if (i == 0) {
      sample.flag = "preempted";
      sample.involuntary_switches = 2;
    }
    time.samples.push_back(sample);
  }
  return time;
}

ProfileResult profile() {
  ProfileResult result;
  result.run_id = "r1";
  result.timestamp = "2026-11-21T09:00:00Z";
  result.model = "resnet-18";
  result.source = "zoo";
  result.sha256 = "abc";
  result.target = "llvm -mcpu=core-avx2";
  result.seed = 7;
  result.argv = {"opbench", "profile", "resnet-18", "--label", "a=b c"};
  result.labels = {{"a", "b c"}};
  result.metrics = {{"accuracy", 0.7}};
  result.inputs = {{"data", {1, 3, 224, 224}}};
  result.environment = environment_from(Json::parse(kEnvironment));
  EngineResult engine;
  engine.engine = "halide";
  engine.version = "0.1.0";
  engine.versions = {{"halide", "14.0.0"}};
  engine.threads = 2;
  engine.cpus = {0, 1};
  engine.check = {
      .engine = "onnxruntime", .max_relative_error = 1e-6, .passed = true, .reason = ""};
  UnitResult good;
  good.identity.operator_text = "conv2d+relu";
  good.identity.nodes = {"n1", "n2"};
  good.identity.schedule = "conv2d_direct";
  good.identity.texts = {
      .workload = "conv2d 1x3x224x224 w:64x3x7x7; relu", .shapes = "", .layouts = {0, 16}};
  good.count = 2;
  good.time = measurement(3);
  good.in_place_ms = 3.1;
  good.reproducer = "opbench op 'conv2d …'";
  UnitResult bad = good;
  bad.identity.texts.workload.clear();
  bad.identity.texts.shapes = "1x3";
  bad.time.reset();
  bad.in_place_ms.reset();
  bad.failure = Failure{FailureKind::kRunTimeout, "no reply within 5 s"};
  engine.units = {good, bad};
  engine.model.end_to_end = measurement(20);
  engine.model.gap_percent = 0.5;
  result.engines = {engine};
  return result;
}

std::vector<BenchmarkRecord> records() { return records_of(profile()).value(); }

TEST(ProfileRecords, TellWeightsThatUnitsShare) {
  ProfileResult result = profile();
  const auto metrics_with = [&](std::optional<int64_t> sets) {
    result.engines[0].units[0].weight_sets = sets;
    return *records_of(result).value().at(1).metrics;
  };
  EXPECT_EQ(metrics_with(1).at("weight_sets"), 1);
  EXPECT_FALSE(metrics_with(2).contains("weight_sets")) << "each has its own";
  EXPECT_FALSE(metrics_with({}).contains("weight_sets"));
}

TEST(ProfileRecords, HoldTheHashOfWhatRan) {
  ProfileResult result = profile();
  result.engines[0].code_hash = std::string(64, 'a');
  result.engines[0].units[0].code_hash = std::string(64, 'b');
  const auto written = records_of(result).value();
  EXPECT_EQ(written.at(0).code_hash, std::string(64, 'a'));
  EXPECT_EQ(written.at(1).code_hash, std::string(64, 'b'));
  EXPECT_FALSE(written.at(2).code_hash) << "not known";
  EXPECT_FALSE(records().at(0).code_hash);
}

TEST(ProfileRecords, WriteTheModelAndItsUnitsWithoutFault) {
  const auto all = records();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].scope, "model");
  EXPECT_EQ(all[1].scope, "unit");
  for (const BenchmarkRecord& record : all) {
    for (const RecordIssue& issue : validate_record(to_json(record), {.strict = true})) {
      EXPECT_FALSE(issue.is_error()) << issue.code << " " << issue.field << " " << issue.message;
    }
  }
}

TEST(ProfileRecords, HoldTheModelsTimeAndBooks) {
  const BenchmarkRecord record = records()[0];
  EXPECT_EQ(record.workload, "resnet-18");
  EXPECT_EQ(record.runtime_ms_median, 20);
  EXPECT_EQ(record.metrics->at("gap_percent"), 0.5);
  EXPECT_EQ(record.metrics->at("accuracy"), 0.7);
  EXPECT_EQ(record.reproducer, "opbench profile resnet-18 --label 'a=b c'");
  EXPECT_EQ(Json::parse(record.inputs->text)[0]["shape"], Json({1, 3, 224, 224}));
}

TEST(ProfileRecords, HoldAUnitsSamplesFlaggedOnesToo) {
  const BenchmarkRecord record = records()[1];
  EXPECT_EQ(record.workload, "opbench.conv2d 1x3x224x224 w:64x3x7x7; relu");
  EXPECT_EQ(record.compilation_config->text, R"({"layouts":[0,16],"schedule":"conv2d_direct"})");
  EXPECT_EQ(record.runtime_raw_ms->size(), 3U);
  EXPECT_EQ(record.n_samples, 3);
  const Json raw = Json::parse(record.runtime_raw->text);
  ASSERT_EQ(raw.size(), 4U);
  EXPECT_EQ(raw[0]["flag"], "preempted");
  EXPECT_EQ(raw[0]["involuntary_switches"], 2);
  EXPECT_FALSE(raw[1].contains("flag"));
  EXPECT_EQ(record.samples_dropped->at("preempted"), 1);
  EXPECT_EQ(record.runtime_ms_in_place, 3.1);
  EXPECT_EQ(record.count, 2);
  EXPECT_EQ(Json::parse(record.execution_config->text)["number"], 4);
  EXPECT_EQ(Json::parse(record.check->text)["passed"], true);
}

TEST(ProfileRecords, SayWhatCompilingTookAndMade) {
  ProfileResult result = profile();
  std::vector<UnitResult>& units = result.engines[0].units;
  units[0].compile_ms = 60;
  units[1].compile_ms = 40.5;
  units[0].code_bytes = units[1].code_bytes = 2000;
  std::vector<BenchmarkRecord> all = records_of(result).value();
  EXPECT_EQ(all[0].metrics->at("compile_time"), 100.5);
  EXPECT_EQ(all[0].metrics->at("code_size"), 4000);
  EXPECT_EQ(all[1].metrics->at("compile_time"), 60);
  EXPECT_EQ(all[1].metrics->at("code_size"), 2000);
  units[0].compile_ms.reset();
  units[0].no_compile_reason = "not kept";
  units[1].code_bytes.reset();
  all = records_of(result).value();
  for (const size_t record : {0u, 1u}) {
    EXPECT_FALSE(all[record].metrics->contains("compile_time"));
    EXPECT_THAT(all[record].metadata->text, HasSubstr(R"("compile_time_reason":"not kept")"));
  }
  EXPECT_THAT(all[2].metadata->text, HasSubstr(R"("code_size_reason":"the engine does not say")"));
  EXPECT_EQ(all[2].metrics->at("compile_time"), 40.5);
}

TEST(ProfileRecords, HoldNothingThatWasCancelled) {
  ProfileResult result = profile();
  EngineResult& engine = result.engines[0];
  engine.units[1].failure = Failure{FailureKind::kCancelled, "interrupted before it was measured"};
  EXPECT_EQ(records_of(result).value().size(), 2u);  // the model and the unit that has a time
  engine.model.end_to_end.reset();
  EXPECT_EQ(records_of(result).value().size(), 1u);
  engine.model.failure = Failure{FailureKind::kRunError, "killed"};
  EXPECT_EQ(records_of(result).value().size(), 2u);
}

TEST(ProfileRecords, GiveAFailureNoTime) {
  const Json record = to_json(records()[2]);
  EXPECT_EQ(record["status"], "error");
  EXPECT_EQ(record["error_no"], 7);
  EXPECT_EQ(record["error_message"], "run_timeout: no reply within 5 s");
  EXPECT_EQ(record["workload"], "halide.conv2d+relu 1x3");
  EXPECT_FALSE(record.contains("runtime_ms_mean"));
  EXPECT_FALSE(record.contains("runtime_raw_ms"));
}

TEST(ProfileRecords, TakeTheTimeInPlaceWhenAUnitCannotRunAlone) {
  ProfileResult result = profile();
  result.engines[0].units[0].time.reset();
  const auto record = records_of(result).value()[1];
  EXPECT_EQ(record.status, "ok");
  EXPECT_EQ(record.runtime_ms_mean, 3.1);
  EXPECT_FALSE(record.runtime_ms_median);
}

TEST(ProfileRecords, HoldTheWholeEnvironmentWithReasons) {
  const BenchmarkRecord record = records()[1];
  EXPECT_EQ(canonical_text(to_json(environment_of(record))),
            canonical_text(Json::parse(kEnvironment)));
  const Json metadata = Json::parse(record.metadata->text);
  EXPECT_TRUE(metadata["docker_hash"].is_null());
  EXPECT_EQ(metadata["docker_hash_reason"], "not in a container");
  EXPECT_EQ(record.hardware, "Xeon 5");
  EXPECT_EQ(Json::parse(record.software_config->text)["os"], "Debian 12");
}

TEST(ProfileRecords, OfASingleWorkloadHaveNoModel) {
  ProfileResult result = profile();
  result.scope = "unit";
  const auto all = records_of(result).value();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].metrics->at("accuracy"), 0.7);
}

TEST(ProfileRecords, NeedAnEnvironment) {
  ProfileResult result = profile();
  result.environment = {};
  ASSERT_FALSE(records_of(result));
  EXPECT_EQ(records_of(result).error().message, "the environment of the run was not captured");
}

TEST(BenchmarkRecord, ComesBackUnchangedFromItsLine) {
  const auto all = records();
  const auto back = parse_record_lines(to_lines(all) + "\n  \n");
  ASSERT_TRUE(back) << to_text(back.error());
  EXPECT_EQ(*back, all);
  EXPECT_EQ(to_lines(*back), to_lines(all));
}

TEST(BenchmarkRecord, KeepsNullsAndFieldsItDoesNotKnow) {
  const Json json = Json::parse(
      R"({"schema_version": "0.2", "runtime_ms_std": null, "colour": {"r": 1}, "target": "llvm"})");
  const auto record = record_from_json(json);
  ASSERT_TRUE(record);
  EXPECT_EQ(canonical_text(to_json(*record)), canonical_text(json));
}

TEST(BenchmarkRecord, RefusesWrongTypesAndNamesTheLine) {
  const auto bad = parse_record_lines("{\"scope\": \"unit\"}\n{\"scope\": 3}\n");
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("\"scope\" cannot hold 3"));
  EXPECT_EQ(bad.error().facts.back().text, "line 2");
  EXPECT_THAT(parse_record_lines("{").error().message, HasSubstr("line 1"));
  EXPECT_FALSE(parse_record_lines("\n"));
  EXPECT_FALSE(parse_record_lines("[1]"));
  for (const char* text : {R"({"nodes": [1]})", R"({"metrics": {"a": "b"}})", R"({"count": 1.5})",
                           R"({"steady": 1})", R"({"metadata": "x"})"}) {
    EXPECT_FALSE(record_from_json(Json::parse(text))) << text;
  }
}

TEST(RecordId, CountsEqualRecordsOfOneFile) {
  std::vector<BenchmarkRecord> twins = {records()[1], records()[1], records()[0]};
  assign_record_ids(twins);
  std::set<std::string> ids;
  for (const BenchmarkRecord& record : twins) ids.insert(record.record_id.value());
  EXPECT_EQ(ids.size(), 3U);
  EXPECT_EQ(twins[0].record_id, records()[1].record_id);
  EXPECT_EQ(twins[1].record_id, record_id_of(to_json(twins[1]), 1));
}

TEST(RecordId, DoesNotDependOnTheOrderOfFields) {
  EXPECT_EQ(record_id_of(Json::parse(R"({"a": 1, "b": 2})"), 0),
            record_id_of(Json::parse(R"({"b": 2, "record_id": "x", "a": 1})"), 0));
}

TEST(ShellText, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_text({"opbench", "op", "conv2d 1x3; relu", "", "it's"}),
            "opbench op 'conv2d 1x3; relu' '' 'it'\\''s'");
}

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
  const Environment now = environment_from(Json::parse(kEnvironment));
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
  Json other = Json::parse(kEnvironment);
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

TEST(Replay, ListsWhatHasChangedOnTheSameMachine) {
  Json now = Json::parse(kEnvironment);
  now["software"]["distribution"] = "Debian 13";
  now["state"]["governor"] = "powersave";
  const ReplayVerdict verdict = judge_replay(records()[1], measurement(4), environment_from(now));
  EXPECT_EQ(verdict.outcome, ReplayOutcome::kNotReproduced);
  std::set<std::string> fields;
  for (const auto& difference : verdict.differences) fields.insert(difference.field);
  EXPECT_EQ(fields, (std::set<std::string>{"software.distribution", "state.governor"}));
}

TEST(Replay, ExpectsAFailureToFailAgain) {
  const Environment now = environment_from(Json::parse(kEnvironment));
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
  const Environment now = environment_from(Json::parse(kEnvironment));
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
  Json now = Json::parse(kEnvironment);
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
