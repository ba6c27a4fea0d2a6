#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "records/record/predicted_records.h"
#include "records/record/profile_records.h"
#include "records/store/database/views.h"
#include "records/store/import/import.h"
#include "records/store/parts/add_part.h"
#include "records/store/parts/benchmark_parts.h"
#include "records/store/parts/compact.h"
#include "records/store/parts/merge.h"

namespace opbench {
namespace {

BenchmarkRecord measured(double ms) {
  BenchmarkRecord record;
  record.timestamp = "2026-11-25T12:00:00Z";
  record.status = "ok";
  record.workload = record.model.emplace("resnet-18");
  record.engine = "halide";
  record.hardware = "cpu";
  record.scope = "model";
  record.runtime_ms_mean = ms;
  return record;
}

BenchmarkRecord predicted(double ms) {
  PredictedRun run{.timestamp = "2026-11-25T12:00:00Z",
                   .model = "resnet-18",
                   .engine = "halide",
                   .predictor = "1f2e",
                   .total = {.median = ms, .low = ms / 2, .high = ms * 2},
                   .argv = {"opbench"}};
  BenchmarkRecord record = records_of(run).front();
  record.record_id.reset();
  return record;
}

class Predictions : public testing::Test {
 protected:
  static Json rows(StoreFolder& store, const std::string& sql) {
    const auto result = query_store(store, sql);
    if (!result) ADD_FAILURE() << to_text(result.error());
    return result ? Json(result->rows) : Json();
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  StoreFolder store_ = StoreFolder::open_to_write(folder_.path() / "store").value();
};

TEST_F(Predictions, HaveAViewOfTheirOwnAndAreNoBenchmarks) {
  EXPECT_EQ(rows(store_, "SELECT count(*) FROM predictions"), Json::parse("[[0]]"));
  const auto added = append_records(store_, {measured(20), predicted(1), predicted(1)});
  ASSERT_TRUE(added) << to_text(added.error());
  EXPECT_EQ(added->added, 3);
  EXPECT_EQ(rows(store_, "SELECT workload, runtime_ms_mean FROM benchmarks"),
            Json::parse(R"([["resnet-18", 20.0]])"));
  EXPECT_EQ(rows(store_,
                 "SELECT predictor, predicted_ms_median, predicted_ms_high, in_range, "
                 "num_cpu_threads FROM predictions"),
            Json::parse(R"([["1f2e", 1.0, 2.0, true, 1], ["1f2e", 1.0, 2.0, true, 1]])"));
  EXPECT_EQ(rows(store_, "SELECT records FROM environments"), Json::parse("[[1]]"));
  EXPECT_FALSE(query_store(store_, "SELECT runtime_ms_mean FROM predictions"));
}

TEST_F(Predictions, AreImportedOnceCompactedAndMerged) {
  std::vector<BenchmarkRecord> records = {measured(20), predicted(1), predicted(2)};
  assign_record_ids(records);
  const std::string file = (folder_.path() / "mixed.jsonl").string();
  ASSERT_TRUE(write_file(file, to_lines(records)));
  const auto first = import_file(store_, file);
  ASSERT_TRUE(first) << to_text(first.error());
  EXPECT_EQ(first->added, 3);
  EXPECT_EQ(import_file(store_, file)->present, 3);
  for (int i = 3; i < 8; ++i) ASSERT_TRUE(append_records(store_, {predicted(i)}));
  EXPECT_EQ(compact(store_, RecordKind::kPrediction)->parts_after, 1);
  StoreFolder other = StoreFolder::open_to_write(folder_.path() / "other").value();
  EXPECT_EQ(merge_store(other, store_, RecordKind::kPrediction)->added, 7);
  EXPECT_EQ(merge_store(other, store_, RecordKind::kBenchmark)->added, 1);
  EXPECT_EQ(rows(other, "SELECT count(*), sum(predicted_ms_median) FROM predictions"),
            Json::parse("[[7, 28.0]]"));
  const Json lines = rows(other, "SELECT record FROM predictions ORDER BY predicted_ms_median");
  const auto again = record_from_json(Json::parse(lines[0][0].get<std::string>()));
  EXPECT_EQ(again->prediction, records[1].prediction);
}

}  // namespace
}  // namespace opbench
