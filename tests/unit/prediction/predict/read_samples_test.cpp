#include "prediction/predict/files/read_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "base/files/file.h"
#include "default_kernel.h"

namespace opbench {
namespace {

using Labels = std::map<std::string, std::string>;

constexpr const char* kTarget = "llvm -mcpu=skylake-avx512";

SampleFilter filter() {
  return {.engine = "halide",
          .threads = 1,
          .machine_hash = "m",
          .schedule_version = "v",
          .ceilings = round_ceilings()};
}

BenchmarkRecord unit_record(double in_model_ms, double isolated_ms) {
  BenchmarkRecord record;
  record.record_id = "u";
  record.status = "ok";
  record.scope = "unit";
  record.engine = "halide";
  record.model = "net";
  record.machine_hash = "m";
  record.target = kTarget;
  record.count = 3;
  record.workload_args = JsonText{R"({"workload":"relu 1x16x8x8"})"};
  record.compilation_config = JsonText{R"({"layouts":[16,16],"schedule":"elementwise"})"};
  record.runtime_config = JsonText{R"({"num_cpu_threads":1})"};
  record.runtime_ms_in_place = in_model_ms;
  record.runtime_ms_median = isolated_ms;
  return record;
}

BenchmarkRecord model_record(double ms) {
  BenchmarkRecord record;
  record.record_id = "m";
  record.status = "ok";
  record.scope = "model";
  record.engine = "halide";
  record.model = "net";
  record.machine_hash = "m";
  record.runtime_config = JsonText{R"({"num_cpu_threads":1})"};
  record.runtime_ms_median = ms;
  record.metrics =
      std::map<std::string, double>{{"dispatch_ms", 0.02}, {"call_overhead_ms", 0.005}};
  return record;
}

TEST(ReadSamples, FastestVisitCounts) {
  SampleCollector collector(filter());
  collector.add(model_record(2));
  collector.add(unit_record(0.4, 0.3));
  collector.add(model_record(1.5));
  collector.add(unit_record(0.5, 0.2));
  const SampleSet set = collector.samples();
  ASSERT_EQ(set.units.size(), 1U);
  EXPECT_TRUE(set.left_out.empty()) << set.left_out.begin()->first;
  EXPECT_DOUBLE_EQ(*set.units[0].in_model_s, 0.4e-3);
  EXPECT_DOUBLE_EQ(*set.units[0].isolated_s, 0.2e-3);
  EXPECT_EQ(set.units[0].features.kind, "elementwise");
  EXPECT_EQ(set.units[0].record_ids.size(), 2U);
  ASSERT_EQ(set.models.size(), 1U);
  EXPECT_DOUBLE_EQ(set.models[0].end_to_end_s, 1.5e-3);
  EXPECT_DOUBLE_EQ(set.models[0].slowest_s, 2e-3);
  EXPECT_EQ(set.models[0].visits, 2);
  EXPECT_EQ(set.models[0].units, (std::vector<std::pair<size_t, int64_t>>{{0, 3}}));
  EXPECT_FLOAT_EQ(set.units[0].context.values[3], 2);  // log2(1 + 3)
}

TEST(ReadSamples, WeightsThatUnitsShareCountOnce) {
  const auto weight_bytes = [](std::optional<double> sets) {
    SampleCollector collector(filter());
    BenchmarkRecord record = unit_record(0.4, 0.3);
    record.workload_args = JsonText{R"({"workload":"matmul 1x256 w:256x256"})"};
    record.compilation_config = JsonText{R"({"layouts":[0,0],"schedule":"dense"})"};
    if (sets) record.metrics = std::map<std::string, double>{{"weight_sets", *sets}};
    collector.add(record);
    return std::exp2(collector.samples().units.at(0).context.values[0]) - 1;
  };
  EXPECT_NEAR(weight_bytes({}), 3 * 256.0 * 256 * 4, 10);
  EXPECT_NEAR(weight_bytes(2), 2 * 256.0 * 256 * 4, 10);
}

TEST(ReadSamples, LeavesOutWhatTeachesNothing) {
  const auto reason_for = [](const auto& change) {
    BenchmarkRecord record = unit_record(1, 1);
    change(record);
    SampleCollector collector(filter());
    collector.add(record);
    const SampleSet set = collector.samples();
    return set.left_out.empty() ? std::string() : set.left_out.begin()->first;
  };
  using R = BenchmarkRecord;
  EXPECT_EQ(reason_for([](R&) {}), "");
  EXPECT_EQ(reason_for([](R& r) { r.engine = "onednn"; }), "of another engine");
  EXPECT_EQ(reason_for([](R& r) { r.machine_hash = "x"; }), "of another machine");
  EXPECT_EQ(reason_for([](R& r) { r.status = "error"; }), "without a time");
  EXPECT_EQ(reason_for([](R& r) { r.cache = "cold-all"; }), "with cold caches");
  EXPECT_EQ(reason_for([](R& r) { r.runtime_config = JsonText{R"({"num_cpu_threads":2})"}; }),
            "of another number of threads");
  EXPECT_EQ(reason_for([](R& r) {
              r.labels = Labels{{kScheduleLabel, "old"}};
            }),
            "of other schedules");
  EXPECT_EQ(reason_for([](R& r) {
              r.compilation_config = JsonText{
                  R"({"layouts":[16,16],"schedule":"elementwise","tuned_from":"a.log:3"})"};
            }),
            "tuned");
  EXPECT_EQ(reason_for([](R& r) {
              r.compilation_config = JsonText{R"({"layouts":[16,16],"schedule":"softmax"})"};
            }),
            "without a kernel that is known here");
  EXPECT_EQ(reason_for([](R& r) { r.workload_args.reset(); }),
            "without a kernel that is known here");
}

TEST(ReadSamples, UnitsSideBySideAreNoModel) {
  SampleCollector collector(filter());
  BenchmarkRecord model = model_record(2);
  BenchmarkRecord unit = unit_record(0.4, 0.3);
  model.labels = unit.labels = Labels{{kBatchKindLabel, kUnitsBatch}, {kBatchLabel, "6"}};
  collector.add(model);
  collector.add(unit);
  const SampleSet set = collector.samples();
  EXPECT_TRUE(set.models.empty());
  ASSERT_EQ(set.units.size(), 1U);
  EXPECT_DOUBLE_EQ(*set.units[0].in_model_s, 0.4e-3);
  EXPECT_EQ(set.units[0].context.values[4], 1);
  EXPECT_EQ(collector.batches(), 7);
}

TEST(ReadSamples, DisturbedTimesAreLeftOut) {
  const auto disturb = [](BenchmarkRecord& record) {
    record.run_id = "run";
    record.n_samples = 15;
    record.samples_dropped = std::map<std::string, int64_t>{{"preempted", 9}};
  };
  SampleCollector collector(filter());
  BenchmarkRecord model = model_record(2);
  BenchmarkRecord quiet = unit_record(0.4, 0.3);
  BenchmarkRecord noisy = unit_record(0.2, 0.1);
  disturb(model);
  disturb(noisy);
  quiet.run_id = "run";
  collector.add(model);
  collector.add(quiet);
  collector.add(noisy);
  const SampleSet set = collector.samples();
  EXPECT_TRUE(set.models.empty());
  ASSERT_EQ(set.units.size(), 1U);
  EXPECT_FALSE(set.units[0].in_model_s);
  EXPECT_DOUBLE_EQ(*set.units[0].isolated_s, 0.3e-3);
  EXPECT_EQ(set.left_out.at("disturbed"), 2);
}

TEST(ReadSamples, FamiliesAreGroups) {
  SampleCollector collector(filter());
  BenchmarkRecord unit = unit_record(0.4, 0.3);
  unit.labels = Labels{{kFamilyLabel, "resnet"}};
  collector.add(unit);
  EXPECT_EQ(collector.samples().units[0].group, "resnet");
}

TEST(ReadSamples, LastLineMayBeCut) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const auto path = folder->path() / "samples.jsonl";
  std::ofstream(path) << to_line(unit_record(1, 1)) << R"({"schema_version": "0.2", "rec)";
  SampleCollector collector(filter());
  EXPECT_TRUE(collect_file(path, collector));
  EXPECT_EQ(collector.units(), 1);
  std::ofstream(path) << "{\n" << to_line(unit_record(1, 1));
  const auto damaged = collect_file(path, collector);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace opbench
