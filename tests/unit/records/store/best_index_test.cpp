#include "records/store/best/best_index.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "base/files/file.h"
#include "records/store/best/best_index_writer.h"
#include "records/store/database/views.h"
#include "records/store/import/import.h"
#include "records/store/parts/compact.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

class BestIndexTest : public testing::Test {
 protected:
  void import(const std::string& name) {
    const fs::path path = fs::path(OPBENCH_TEST_FIXTURES) / "logs" / name;
    ASSERT_TRUE(import_file(store_, path.string()));
  }

  /// Every workload's best by the index is that of the view.
  void expect_all_found() {
    const QueryResult rows =
        query_store(store_, "SELECT target, task, args, mean_s FROM best").value();
    ASSERT_FALSE(rows.rows.empty());
    for (const std::vector<Json>& row : rows.rows) {
      const auto best = find_best(store_, row[0].get<std::string>(), row[1].get<std::string>(),
                                  row[2].get<std::string>());
      ASSERT_TRUE(best && *best) << row[2];
      EXPECT_LE((*best)->mean_s, row[3].get<double>());  // of all spellings of the target
      EXPECT_FALSE((*best)->knobs.empty());
    }
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  StoreFolder store_ = StoreFolder::open_to_write(folder_.path() / "store").value();
};

TEST_F(BestIndexTest, FindsWhatTheViewFinds) {
  import("gpu.log");
  import("trials.log");
  ASSERT_TRUE(refresh_best_index(store_));
  EXPECT_GT(BestIndex::open(store_.path())->size(), 8);
  expect_all_found();
}

TEST_F(BestIndexTest, AnswersWithoutAnIndexAndForLaterParts) {
  import("cpu.log");
  expect_all_found();
  ASSERT_TRUE(refresh_best_index(store_));
  import("arm.log");
  expect_all_found();
}

TEST_F(BestIndexTest, SurvivesCompactionAndItsOwnLoss) {
  import("cpu.log");
  import("arm.log");
  ASSERT_TRUE(refresh_best_index(store_));
  const int64_t size = BestIndex::open(store_.path())->size();
  ASSERT_TRUE(compact(store_, RecordKind::kTrial));
  ASSERT_TRUE(refresh_best_index(store_));
  EXPECT_EQ(BestIndex::open(store_.path())->size(), size);
  expect_all_found();
  const fs::path file = store_.path() / "_index/best";
  fs::resize_file(file, fs::file_size(file) - 9);
  EXPECT_FALSE(BestIndex::open(store_.path()));
  expect_all_found();
}

TEST_F(BestIndexTest, HasNothingForAFailedTask) {
  import("failed.log");
  const QueryResult row =
      query_store(store_, "SELECT target, task, args FROM trials LIMIT 1").value();
  const auto best = find_best(store_, row.rows[0][0].get<std::string>(),
                              row.rows[0][1].get<std::string>(), row.rows[0][2].get<std::string>());
  ASSERT_TRUE(best);
  EXPECT_FALSE(*best);
}

TEST(BestIndexWriter, MergesSortedPiecesInBoundedMemory) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  BestIndexWriter writer(folder.path(), nullptr);
  constexpr uint64_t kKeys = 5000;
  const std::string values(20000, 'x');
  for (int round = 3; round > 0; --round) {
    for (uint64_t key = 0; key < kKeys; ++key) {
      const BestTrial trial{
          .mean_s = round * 1.0, .line = round, .knobs = "k", .knob_values = values};
      ASSERT_TRUE(writer.add({key * 7919 % kKeys, 1}, trial));
    }
  }
  fs::create_directories(folder.path() / "_index");
  ASSERT_TRUE(writer.finish(folder.path() / "_index/best", {{"part-1", {}}}));
  const auto index = BestIndex::open(folder.path());
  ASSERT_TRUE(index);
  EXPECT_EQ(index->size(), static_cast<int64_t>(kKeys));
  for (uint64_t key = 0; key < kKeys; key += 99) EXPECT_EQ(index->find({key, 1})->mean_s, 1.0);
  EXPECT_FALSE(index->find({kKeys, 1}));
}

}  // namespace
}  // namespace opbench
