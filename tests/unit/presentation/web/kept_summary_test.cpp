#include "presentation/web/store/kept_summary.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "presentation/web/store/web_store.h"
#include "records/store/parts/benchmark_parts.h"
#include "records/store/parts/compact.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

BenchmarkRecord kept_record(const std::string& run, double ms) {
  BenchmarkRecord record;
  record.timestamp = "2026-11-28T02:00:00Z";
  record.status = "ok";
  record.workload = "opbench.relu 1x4";
  record.engine = "halide";
  record.hardware = "cpu";
  record.machine_hash = "0123456789abcdef";
  record.scope = "unit";
  record.run_id = run;
  record.model = "net";
  record.runtime_ms_mean = record.runtime_ms_median = ms;
  return record;
}

/// A store with two runs, whose summary is kept however quickly it was made.
class KeptSummary : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::make_unique<TemporaryFolder>(TemporaryFolder::make().value());
    append("first", 1);
    append("second", 2);
  }

  void append(const std::string& run, double ms) {
    auto store = StoreFolder::open_to_write(place()).value();
    ASSERT_TRUE(append_records(store, {kept_record(run, ms)}));
  }
  fs::path place() const { return folder_->path() / "store"; }
  fs::path file() const { return kept_summary_file(place()); }

  std::unique_ptr<WebStore> read(std::chrono::milliseconds keep_after = {}) const {
    auto store = WebStore::open(place(), {.keep_after = keep_after}).value();
    const auto read = store->refresh();
    EXPECT_TRUE(read) << to_text(read.error());
    return store;
  }
  static double sum_of(WebStore& store) {
    return store.query("SELECT coalesce(sum(ms), 0)::DOUBLE FROM points").value().rows[0][0];
  }

  /// Another value in the file tells whether a summary came from it.
  void mark_file() const {
    Database database = Database::open().value();
    ASSERT_TRUE(database.run("ATTACH " + sql_path(file()) + " AS kept"));
    ASSERT_TRUE(database.run("UPDATE kept.points SET ms = 100 * ms"));
    ASSERT_TRUE(database.run("DETACH kept"));
  }

  std::unique_ptr<TemporaryFolder> folder_;
};

TEST_F(KeptSummary, SparesASecondStartTheParts) {
  EXPECT_DOUBLE_EQ(sum_of(*read()), 3);
  ASSERT_TRUE(fs::is_regular_file(file()));
  mark_file();
  EXPECT_DOUBLE_EQ(sum_of(*read()), 300);
}

TEST_F(KeptSummary, TakesNewPartsBesideWhatIsKept) {
  read();
  mark_file();
  append("third", 4);
  EXPECT_DOUBLE_EQ(sum_of(*read()), 304);
  EXPECT_DOUBLE_EQ(sum_of(*read()), 304);  // the third part is kept too
}

TEST_F(KeptSummary, IsOfUseAfterPartsWereMerged) {
  read();
  mark_file();
  auto store = StoreFolder::open_to_write(place()).value();
  ASSERT_TRUE(compact(store, RecordKind::kBenchmark));
  EXPECT_DOUBLE_EQ(sum_of(*read()), 300);
}

TEST_F(KeptSummary, IsMadeAgainWhenPartsAreGone) {
  read();
  mark_file();
  fs::remove_all(place() / "kind=benchmark");
  EXPECT_DOUBLE_EQ(sum_of(*read()), 0);
}

TEST_F(KeptSummary, IsMadeAgainWhereTheFileIsDamaged) {
  read();
  const std::string whole = read_file(file()).value();
  std::string flipped = whole;
  for (size_t at = 4096; at < flipped.size(); at += 512) flipped[at] ^= 0x55;
  for (const std::string& bytes :
       {std::string(), std::string("no database"), whole.substr(0, whole.size() / 2), flipped}) {
    ASSERT_TRUE(write_file(file(), bytes));
    EXPECT_DOUBLE_EQ(sum_of(*read()), 3) << bytes.size() << " bytes";
    mark_file();
    EXPECT_DOUBLE_EQ(sum_of(*read()), 300) << "a whole one was not kept again";
  }
}

/// Of another schema, of parts that are others by now, with a table too few.
TEST_F(KeptSummary, IsMadeAgainWhereTheFileIsForeign) {
  read();
  for (const char* statement : {"UPDATE kept.kept_parts SET bytes = bytes + 1",
                                "UPDATE kept.kept_schema SET schema = 'another'",
                                "DROP TABLE kept.kept_schema", "DROP TABLE kept.entries"}) {
    mark_file();
    Database database = Database::open().value();
    ASSERT_TRUE(database.run("ATTACH " + sql_path(file()) + " AS kept"));
    ASSERT_TRUE(database.run(statement)) << statement;
    ASSERT_TRUE(database.run("DETACH kept"));
    EXPECT_DOUBLE_EQ(sum_of(*read()), 3) << statement;
  }
}

TEST_F(KeptSummary, IsMadeAgainInAnotherFolder) {
  read();
  mark_file();
  fs::rename(place(), folder_->path() / "moved");
  auto moved = WebStore::open(folder_->path() / "moved").value();
  ASSERT_TRUE(moved->refresh());
  EXPECT_DOUBLE_EQ(sum_of(*moved), 3);
}

TEST_F(KeptSummary, IsOnlyInMemoryWhereTheStoreCannotBeWrittenTo) {
  // A file stands where the folder would be: root may write anywhere else.
  ASSERT_TRUE(write_file(place() / "_web", "in the way"));
  const auto store = read();
  EXPECT_DOUBLE_EQ(sum_of(*store), 3);
  append("third", 4);
  ASSERT_TRUE(store->refresh());
  EXPECT_DOUBLE_EQ(sum_of(*store), 7);
}

TEST_F(KeptSummary, IsNotKeptWhereReadingTakesNoTime) {
  read(std::chrono::hours(1));
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(KeptSummary, LeavesNothingElseBehind) {
  const auto one = read(), other = read();  // two servers
  append("third", 4);
  ASSERT_TRUE(one->refresh());
  ASSERT_TRUE(other->refresh());
  EXPECT_DOUBLE_EQ(sum_of(*one), 7);
  EXPECT_DOUBLE_EQ(sum_of(*other), 7);
  EXPECT_DOUBLE_EQ(sum_of(*read()), 7);
  EXPECT_TRUE(fs::is_empty(place() / "_tmp"));
  EXPECT_EQ(std::distance(fs::directory_iterator(file().parent_path()), {}), 1);
}

}  // namespace
}  // namespace opbench
