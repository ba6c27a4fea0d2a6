#include "records/record/profile_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

#include "measuring/results/finding.h"
#include "recorded_profile.h"
#include "records/record/record_environment.h"
#include "records/record/record_validation.h"

namespace opbench {
namespace {

using testing::HasSubstr;

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

TEST(ProfileRecords, HoldTheStepsOfACallAndWhatTheyNeed) {
  ProfileResult result = profile();
  const auto steps_with = [&](std::optional<int64_t> second) {
    result.engines[0].units[0].occurrences = {
        {.nodes = {"n1"}, .in_place_ms = 3, .step = 0},
        {.nodes = {"n2"}, .in_place_ms = 3.2, .step = second}};
    return Json::parse(records_of(result).value()[0].workload_metadata->text)
        .value("steps", Json());
  };
  EXPECT_EQ(steps_with({}), Json()) << "no order, no nodes";
  EXPECT_FALSE(steps_with(1)[1].contains("needs")) << "nodes of the model are not known";
  result.graph = {{"n1", "Conv", {}}, {"folded", "Mul", {"n1"}}, {"n2", "Conv", {"folded"}}};
  const Json steps = steps_with(1);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[1]["workload"], "opbench.conv2d 1x3x224x224 w:64x3x7x7; relu");
  EXPECT_EQ(steps[1]["nodes"], Json({"n2"}));
  EXPECT_EQ(steps[1]["needs"], Json({0}));
  EXPECT_EQ(steps[1]["in_place_ms"], 3.2);
}

TEST(ProfileRecords, KeepTheFindingsOfTheFirstEngine) {
  ProfileResult result = profile();
  const auto metadata_of_model = [&] {
    return Json::parse(records_of(result).value()[0].metadata->text);
  };
  EXPECT_FALSE(metadata_of_model().contains("findings")) << "the run looked for none";
  result.findings.emplace();
  EXPECT_EQ(metadata_of_model()["findings"], Json::array());
  result.findings->push_back({.finding = "run on 2 threads", .gain_low_pct = 30});
  const auto all = records_of(result).value();
  EXPECT_EQ(findings_of(Json::parse(all[0].metadata->text)["findings"]), *result.findings);
  for (size_t i = 1; i < all.size(); ++i) {
    EXPECT_FALSE(Json::parse(all[i].metadata->text).contains("findings"));
  }
}

TEST(ProfileRecords, KeepEmulatedTimesApartFromTheMachine) {
  ProfileResult result = profile();
  result.engines[0].emulator = "qemu-aarch64 7.2.22";
  const BenchmarkRecord emulated = records_of(result).value()[0];
  EXPECT_EQ(emulated.emulator, "qemu-aarch64 7.2.22");
  EXPECT_EQ(emulated.hardware, "emulated");
  EXPECT_FALSE(emulated.machine_hash);
  EXPECT_FALSE(records_of(profile()).value()[0].emulator);
}

TEST(ProfileRecords, SayTheClockAndTheDevicesTimes) {
  ProfileResult result = profile();
  const BenchmarkRecord of_cpu = records_of(result).value()[0];
  EXPECT_EQ(Json::parse(of_cpu.execution_config->text)["timer"], "wall");
  EXPECT_FALSE(of_cpu.metrics->contains("device_ms"));
  Measurement& time = *result.engines[0].model.end_to_end;
  for (Sample& sample : time.samples) {
    sample.device_s = 0.75 * sample.wall_s;
    sample.copies_s = 0.25 * sample.wall_s;
    sample.clock = TimeClock::kSimulated;
  }
  time.clock = TimeClock::kSimulated;
  const BenchmarkRecord record = records_of(result).value()[0];
  const Json config = Json::parse(record.execution_config->text);
  EXPECT_EQ(config["timer"], "simulated");
  EXPECT_GT(record.metrics->at("device_ms"), record.metrics->at("copies_ms"));
  EXPECT_TRUE(record.metrics->contains("without_copies_ms"));
  const Json sample = Json::parse(record.runtime_raw->text)[0];
  EXPECT_EQ(sample["clock"], "simulated");
  EXPECT_TRUE(sample.contains("copies_ms"));
}

TEST(ProfileRecords, SayWhatLimitsAUnit) {
  ProfileResult result = profile();
  result.engines[0].units[0].bound = "memory";
  const auto all = records_of(result).value();
  EXPECT_EQ(Json::parse(all[1].metadata->text)["bound"], "memory");
  EXPECT_FALSE(Json::parse(all[2].metadata->text).contains("bound")) << "nobody knows it";
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
            canonical_text(Json::parse(kRecordedEnvironment)));
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

}  // namespace
}  // namespace opbench
