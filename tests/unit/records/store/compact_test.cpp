#include "records/store/parts/compact.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "records/store/database/views.h"
#include "records/store/parts/benchmark_parts.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

std::string random_text(Random& random, size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += static_cast<char>('a' + random.next() % 26);
  return text;
}

/// A record that no compression makes small.
BenchmarkRecord compact_record(Random& random, size_t bytes) {
  BenchmarkRecord result;
  result.timestamp = "2026-11-24T00:34:11Z";
  result.status = "ok";
  result.workload = "conv2d";
  result.engine = "halide";
  result.hardware = random_text(random, bytes);
  result.scope = "unit";
  return result;
}

class Compact : public testing::Test {
 protected:
  /// The one part of a store of its own with these records.
  fs::path part_of(const std::vector<BenchmarkRecord>& records) {
    StoreFolder store = StoreFolder::open_to_write(folder_.path() / "one").value();
    const auto added = append_records(store, records);
    if (!added) throw std::runtime_error(to_text(added.error()));
    return store.live_parts(RecordKind::kBenchmark).value().back().path;
  }

  /// A store with the part `count` times, under as many names.
  StoreFolder store_of(const fs::path& part, int count) {
    const fs::path place = folder_.path() / ("store-" + std::to_string(count));
    const fs::path day = place / "kind=benchmark" / "date=2026-11-24";
    fs::create_directories(day);
    for (int i = 0; i < count; ++i) {
      fs::create_hard_link(part, day / ("part-" + std::to_string(i) + ".parquet"));
    }
    return StoreFolder::open_to_write(place).value();
  }

  static int64_t rows_in(StoreFolder& store) {
    return query_store(store, "SELECT count(*) FROM benchmarks").value().rows[0][0].get<int64_t>();
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
};

TEST_F(Compact, MakesOnePartOfAnyNumber) {
  Random random(1);
  const fs::path part = part_of({compact_record(random, 100), compact_record(random, 100)});
  for (const int count : {1, 2, 80, 100}) {
    StoreFolder store = store_of(part, count);
    const auto done = compact(store, RecordKind::kBenchmark);
    ASSERT_TRUE(done) << count << " parts: " << to_text(done.error());
    EXPECT_EQ(done->parts_after, 1) << count;
    EXPECT_EQ(done->parts_merged, count < 2 ? 0 : count);
    EXPECT_EQ(rows_in(store), 2 * count);
  }
}

TEST_F(Compact, MergesWhatWasMergedBefore) {
  Random random(3);
  StoreFolder store = StoreFolder::open_to_write(folder_.path() / "store").value();
  int64_t rows = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 3; ++i, ++rows) {
      ASSERT_TRUE(append_records(store, {compact_record(random, 50)}));
    }
    EXPECT_EQ(compact(store, RecordKind::kBenchmark).value().parts_after, 1);
    EXPECT_EQ(rows_in(store), rows);
  }
}

}  // namespace
}  // namespace opbench
