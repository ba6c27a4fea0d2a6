#include "records/store/parts/benchmark_parts.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "records/store/database/views.h"
#include "records/store/parts/add_part.h"
#include "records/store/parts/compact.h"
#include "records/store/parts/merge.h"
#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

BenchmarkRecord benchmark_parts_record(double ms) {
  BenchmarkRecord result;
  result.timestamp = "2019-11-23T00:34:11Z";
  result.status = "ok";
  result.workload = "ai.onnx.resnet-18";
  result.inputs = JsonText{R"([{"dtype":"float32","name":"data","shape":[1,3,112,112]}])"};
  result.engine = "tvm";
  result.engine_version = "1.0.0";
  result.hardware = "gcp-c2-standard-16";
  result.software_config = JsonText{R"({"os":"ubuntu","pip":{"numpy":"1.17"}})"};
  result.execution_config = JsonText{R"({"number":3,"trimmed":true})"};
  result.compilation_config = JsonText{R"({"opt_level":3})"};
  result.runtime_ms_mean = ms;
  result.runtime_raw_ms = std::vector<double>{ms, ms};
  result.metrics = std::map<std::string, double>{{"accuracy", 0.5}};
  result.samples_dropped = std::map<std::string, int64_t>{{"preempted", 2}};
  result.scope = "model";
  return result;
}

/// What was added; the reason is the test's failure otherwise.
Addition append(StoreFolder& store, std::vector<BenchmarkRecord> records) {
  const auto added = append_records(store, std::move(records));
  if (!added) ADD_FAILURE() << to_text(added.error());
  return added.value_or(Addition{});
}

class BenchmarkParts : public testing::Test {
 protected:
  static Json value(StoreFolder& store, const std::string& expression) {
    return query_store(store, "SELECT " + expression + " FROM benchmarks ORDER BY runtime_ms_mean")
        .value()
        .rows.at(0)
        .at(0);
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  StoreFolder store_ = StoreFolder::open_to_write(folder_.path() / "store").value();
};

TEST_F(BenchmarkParts, HaveTypedColumns) {
  ASSERT_EQ(append(store_, {benchmark_parts_record(1.5), benchmark_parts_record(2.5)}).added, 2);
  EXPECT_EQ(value(store_, "runtime_ms_mean * 2"), 3.0);
  EXPECT_EQ(value(store_, "inputs[1].shape[4]"), 112);
  EXPECT_EQ(value(store_, "pip['numpy']"), "1.17");
  EXPECT_EQ(value(store_, "metrics['accuracy']"), 0.5);
  EXPECT_EQ(value(store_, "samples_dropped['preempted']"), 2);
  EXPECT_EQ(value(store_, "execution_config.number"), 3);
  EXPECT_EQ(value(store_, "execution_config.trimmed"), true);
  EXPECT_EQ(value(store_, "opt_level"), 3);
  EXPECT_EQ(value(store_, "list_sum(runtime_raw_ms)"), 3.0);
  EXPECT_EQ(value(store_, "epoch(\"timestamp\")"), 1574469251.0);
  EXPECT_EQ(value(store_, "workload_domain || ' ' || workload_name"), "ai.onnx resnet-18");
  EXPECT_EQ(value(store_, "record_id"), record_id_of(to_json(benchmark_parts_record(1.5)), 0));
  EXPECT_EQ(record_from_json(Json::parse(value(store_, "record").get<std::string>()))->hardware,
            "gcp-c2-standard-16");
}

TEST_F(BenchmarkParts, KeepEqualRecordsOfARunAndAddThemOnce) {
  EXPECT_EQ(append(store_, {benchmark_parts_record(1), benchmark_parts_record(1)}).added, 2);
  EXPECT_EQ(append(store_, {benchmark_parts_record(1), benchmark_parts_record(1)}).added, 0);
  EXPECT_EQ(append(store_, {benchmark_parts_record(1), benchmark_parts_record(2)}).added, 1);
  EXPECT_EQ(value(store_, "count(*) OVER ()"), 3);
}

TEST_F(BenchmarkParts, AreMergedWithTheirRowsAndTypes) {
  for (int i = 1; i < 6; ++i) append(store_, {benchmark_parts_record(i)});
  const Compaction done = compact(store_, RecordKind::kBenchmark).value();
  EXPECT_EQ(done.parts_before, 5);
  EXPECT_EQ(done.parts_after, 1);
  EXPECT_EQ(store_.live_parts(RecordKind::kBenchmark)->size(), 1U);
  EXPECT_EQ(value(store_, "count(*) OVER ()"), 5);
  EXPECT_EQ(append(store_, {benchmark_parts_record(3)}).present, 1);
  StoreFolder other = StoreFolder::open_to_write(folder_.path() / "other").value();
  append(other, {benchmark_parts_record(3), benchmark_parts_record(9)});
  const Addition merged = merge_store(other, store_, RecordKind::kBenchmark).value();
  EXPECT_EQ(merged.added, 4);
  EXPECT_EQ(merged.present, 1);
  EXPECT_EQ(value(other, "count(*) OVER ()"), 6);
  EXPECT_EQ(query_store(other, "SELECT engines, records FROM environments")->rows.at(0).at(1), 6);
}

TEST_F(BenchmarkParts, HoldEveryValueOrNull) {
  BenchmarkRecord record = benchmark_parts_record(1);
  record.execution_config = JsonText{R"({"number":1000000000000,"repeat":2.5,"cache_flush":"x"})"};
  record.samples_dropped = std::map<std::string, int64_t>{{"preempted", 3000000000}};
  record.count = 3000000000;
  record.compilation_config = JsonText{R"({"opt_level":300})"};
  record.hardware_config = JsonText{R"({"gpu_count":70000,"cpu_count":"many"})"};
  record.timestamp = "1582903438.5";
  ASSERT_EQ(append(store_, {record, benchmark_parts_record(2)}).added, 2);
  EXPECT_EQ(value(store_, "execution_config.number"), 1000000000000);
  EXPECT_TRUE(value(store_, "execution_config.repeat").is_null());
  EXPECT_TRUE(value(store_, "execution_config.cache_flush").is_null());
  EXPECT_EQ(value(store_, "samples_dropped['preempted']"), 3000000000);
  EXPECT_EQ(value(store_, "\"count\""), 3000000000);
  EXPECT_EQ(value(store_, "opt_level"), 300);
  EXPECT_EQ(value(store_, "gpu_count"), 70000);
  EXPECT_TRUE(value(store_, "cpu_count").is_null());
  EXPECT_EQ(value(store_, "epoch(\"timestamp\")"), 1582903438.5);
  EXPECT_THAT(value(store_, "record").get<std::string>(), testing::HasSubstr("\"many\""));
}

/// A part as an earlier version wrote it.
TEST_F(BenchmarkParts, AreReadBesideThoseWithNarrowerCounts) {
  append(store_, {benchmark_parts_record(2)});
  const StorePart part = store_.live_parts(RecordKind::kBenchmark)->front();
  Database database = Database::open({}).value();
  const std::string narrow =
      "SELECT * REPLACE (n_samples::INTEGER AS n_samples, {'number': "
      "execution_config.number::INTEGER, "
      "'repeat': execution_config.repeat::INTEGER, 'min_repeat_ms': "
      "execution_config.min_repeat_ms, "
      "'warmup': execution_config.warmup, 'cooldown_ms': execution_config.cooldown_ms, "
      "'cache_flush': execution_config.cache_flush, 'trimmed': execution_config.trimmed, 'timer': "
      "execution_config.timer} AS execution_config, CAST(samples_dropped AS MAP(VARCHAR, INTEGER)) "
      "AS samples_dropped) FROM " +
      scan_of({part});
  const std::filesystem::path old = folder_.path() / "old.parquet";
  ASSERT_TRUE(database.run(copy_statement(narrow, old, RecordKind::kBenchmark)));
  std::filesystem::rename(old, part.path);
  BenchmarkRecord record = benchmark_parts_record(1);
  record.execution_config = JsonText{R"({"number":1000000000000})"};
  ASSERT_EQ(append(store_, {record}).added, 1);
  EXPECT_EQ(value(store_, "execution_config.number"), 1000000000000);
  EXPECT_EQ(value(store_, "count(*) OVER ()"), 2);
  for (int i = 3; i < 7; ++i) append(store_, {benchmark_parts_record(i)});
  ASSERT_TRUE(compact(store_, RecordKind::kBenchmark));
  EXPECT_EQ(value(store_, "execution_config.number"), 1000000000000);
  EXPECT_EQ(value(store_, "sum(samples_dropped['preempted']) OVER ()"), 12);
}

}  // namespace
}  // namespace opbench
