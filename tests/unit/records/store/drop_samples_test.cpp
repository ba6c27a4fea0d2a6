#include "records/store/parts/drop_samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "records/store/database/views.h"
#include "records/store/parts/benchmark_parts.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

BenchmarkRecord sampled_record(const std::string& night) {
  BenchmarkRecord record;
  record.timestamp = "2026-11-24T00:34:11Z";
  record.status = "ok";
  record.workload = "conv2d";
  record.engine = "halide";
  record.scope = "unit";
  record.hardware = "cpu";
  record.labels = {{"watch_night", night}};
  std::vector<double> samples;
  for (int i = 0; i < 400; ++i) samples.push_back(2 + 0.001 * ((i * 7919) % 401));
  samples.push_back(3);
  record.runtime_raw_ms = samples;
  record.runtime_ms_median = 2.2;
  record.runtime_ms_low = 2.1;
  record.runtime_ms_high = 2.3;
  record.n_samples = 401;
  return record;
}

constexpr const char* kOldNights = "map_extract(labels, 'watch_night')[1] IN ('d0', 'd1')";

class DropSamples : public ::testing::Test {
 protected:
  DropSamples() {
    for (const char* night : {"d0", "d1", "d2"}) {
      EXPECT_TRUE(append_records(store_, {sampled_record(night)}));
    }
  }

  std::vector<std::vector<Json>> rows() {
    return query_store(store_,
                       "SELECT map_extract(labels, 'watch_night')[1], runtime_raw_ms, "
                       "runtime_ms_median, n_samples, labels, record, record_id FROM benchmarks "
                       "ORDER BY 1")
        .value()
        .rows;
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  StoreFolder store_ = StoreFolder::open_to_write(folder_.path() / "store").value();
};

TEST_F(DropSamples, KeepsAllElse) {
  const auto before = rows();
  const int64_t bytes_before = bytes_of_results(store_).value();
  const auto done = drop_samples(store_, kOldNights);
  ASSERT_TRUE(done) << to_text(done.error());
  EXPECT_EQ(done->records, 2);
  EXPECT_LT(done->bytes_after, bytes_before);
  EXPECT_EQ(done->bytes_after, bytes_of_results(store_).value());
  const auto after = rows();
  ASSERT_EQ(after.size(), 3U);
  EXPECT_EQ(after[2], before[2]) << "a night that stays";
  for (const size_t i : {0, 1}) {
    EXPECT_TRUE(after[i][1].is_null());
    EXPECT_EQ(after[i][2], 2.2);
    EXPECT_EQ(after[i][3], 401);
    EXPECT_EQ(after[i][6], before[i][6]) << "the same record";
    const Json& labels = after[i][4];
    EXPECT_EQ(labels.at("watch_night"), before[i][0]);
    EXPECT_EQ(labels.at(kSamplesLabel), "dropped");
    EXPECT_NEAR(std::stod(labels.at(kDroppedMedianLabel).get<std::string>()), 2.2, 0.01);
    EXPECT_NEAR(std::stod(labels.at(kDroppedDeviationLabel).get<std::string>()), 0.045, 0.01);
    Json record = Json::parse(after[i][5].get<std::string>());
    EXPECT_EQ(record.at("labels"), labels);
    record["labels"] = Json::parse(before[i][5].get<std::string>()).at("labels");
    Json whole = Json::parse(before[i][5].get<std::string>());
    whole.erase("runtime_raw_ms");
    EXPECT_EQ(nlohmann::json::parse(record.dump()), nlohmann::json::parse(whole.dump()));
  }
}

TEST_F(DropSamples, DoesItOnce) {
  ASSERT_TRUE(drop_samples(store_, kOldNights));
  const auto again = drop_samples(store_, kOldNights);
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(again->records, 0);
  // What is brought in again from elsewhere is there already.
  ASSERT_TRUE(append_records(store_, {sampled_record("d0")}));
  EXPECT_EQ(rows().size(), 3U);
  EXPECT_TRUE(rows()[0][1].is_null());
}

TEST_F(DropSamples, ChangesNothingUntilTheNewPartIsThere) {
  const std::vector<StorePart> old = store_.live_parts(RecordKind::kBenchmark).value();
  const fs::path aside = folder_.path() / "aside";
  fs::copy(store_.path(), aside, fs::copy_options::recursive);
  ASSERT_TRUE(drop_samples(store_, kOldNights));
  // Killed after the new part was there, before the old ones were removed.
  for (const StorePart& part : old) {
    const fs::path place = fs::relative(part.path, store_.path());
    if (!fs::exists(part.path)) fs::copy_file(aside / place, part.path);
  }
  StoreFolder opened = StoreFolder::open_to_write(store_.path()).value();
  const auto counted = query_store(
      opened, "SELECT count(*), count(runtime_raw_ms), count(DISTINCT record_id) FROM benchmarks");
  EXPECT_EQ(counted->rows[0], (std::vector<Json>{3, 1, 3}));
}

TEST_F(DropSamples, WaitsForNobody) {
  const auto lock = FolderLock::take(store_.path(), "_compact");
  ASSERT_TRUE(lock);
  EXPECT_TRUE(drop_samples(store_, kOldNights)->is_elsewhere);
  EXPECT_FALSE(rows()[0][1].is_null());
}

}  // namespace
}  // namespace opbench
