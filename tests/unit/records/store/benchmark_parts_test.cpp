#include "records/store/benchmark_parts.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "records/store/add_part.h"
#include "records/store/compact.h"
#include "records/store/merge.h"
#include "records/store/views.h"

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

}  // namespace
}  // namespace opbench
