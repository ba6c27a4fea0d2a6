#include "presentation/web/requests/answer_cache.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "presentation/web/requests/view_answer.h"
#include "records/store/parts/benchmark_parts.h"

namespace opbench {
namespace {

TEST(AnswerCache, KeepsAnswersOfOneState) {
  AnswerCache cache;
  EXPECT_FALSE(cache.find("a", "1"));
  cache.keep("a", "1", {.body = "x"});
  ASSERT_TRUE(cache.find("a", "1"));
  EXPECT_EQ(cache.find("a", "1")->body, "x");
  EXPECT_FALSE(cache.find("a", "2"));
  cache.keep("b", "2", {.body = "y"});
  EXPECT_FALSE(cache.find("a", "1"));
  EXPECT_FALSE(cache.find("a", "2"));
}

TEST(AnswerCache, DropsWhatWasAskedForLeastLately) {
  AnswerCache cache(5000);
  for (const char* key : {"a", "b", "c", "d"})
    cache.keep(key, "1", {.body = std::string(900, 'x')});
  EXPECT_TRUE(cache.find("a", "1"));
  cache.keep("e", "1", {.body = std::string(900, 'x')});
  EXPECT_TRUE(cache.find("a", "1"));
  EXPECT_FALSE(cache.find("b", "1"));
  EXPECT_TRUE(cache.find("e", "1"));
  EXPECT_LE(cache.bytes(), 5000U);
}

TEST(AnswerCache, KeepsNoAnswerThatTakesMostOfTheRoom) {
  AnswerCache cache(5000);
  cache.keep("a", "1", {.body = "x"});
  cache.keep("b", "1", {.body = std::string(4000, 'x')});
  EXPECT_TRUE(cache.find("a", "1"));
  EXPECT_FALSE(cache.find("b", "1"));
}

/// A store whose views are asked twice.
class KeptAnswers : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::make_unique<TemporaryFolder>(TemporaryFolder::make().value());
    append("first");
    store_ = WebStore::open(folder_->path()).value();
    ASSERT_TRUE(store_->refresh());
  }
  void append(const std::string& run) {
    BenchmarkRecord record;
    record.timestamp = "2026-11-28T02:00:00Z";
    record.status = "ok";
    record.workload = "opbench.relu 1x4";
    record.engine = "halide";
    record.hardware = "cpu";
    record.scope = "unit";
    record.run_id = run;
    record.model = "net";
    record.runtime_ms_mean = record.runtime_ms_median = 1;
    auto store = StoreFolder::open_to_write(folder_->path()).value();
    ASSERT_TRUE(append_records(store, {record}));
  }
  WebAnswer ask(const std::string& path, WebRequest::Parameters parameters = {}) {
    return answer_to(path, {.store = *store_, .answers = &cache_}, WebRequest(parameters));
  }
  /// A kept answer is told from a new one by what the test puts in its place.
  bool is_kept(const std::string& key) { return cache_.find(key, store_->state()).has_value(); }

  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<WebStore> store_;
  AnswerCache cache_;
};

TEST_F(KeptAnswers, EndWithANewPart) {
  EXPECT_EQ(Json::parse(ask("runs").body)["total"], 1);
  EXPECT_TRUE(is_kept("runs"));
  EXPECT_EQ(ask("runs").body, ask("runs").body);
  append("second");
  ASSERT_TRUE(store_->refresh());
  EXPECT_FALSE(is_kept("runs"));
  EXPECT_EQ(Json::parse(ask("runs").body)["total"], 2);
}

TEST_F(KeptAnswers, EndWithAFileOfFindings) {
  ask("overview");
  EXPECT_TRUE(is_kept("overview"));
  ASSERT_TRUE(make_writable_folder(folder_->path() / "watch/nightly"));
  ASSERT_TRUE(write_file(folder_->path() / "watch/nightly/annotations.jsonl", "{}"));
  EXPECT_FALSE(is_kept("overview"));
}

TEST_F(KeptAnswers, AreThoseOfTheSameRequest) {
  ask("runs", {{"q", "a&kind=run"}});
  EXPECT_TRUE(is_kept("runs&q=a%26kind%3Drun"));
  EXPECT_FALSE(is_kept("runs&q=a&kind=run"));
  EXPECT_EQ(Json::parse(ask("runs", {{"q", "first"}}).body)["total"], 1);
  EXPECT_EQ(Json::parse(ask("runs", {{"q", "second"}}).body)["total"], 0);
  EXPECT_NE(ask("runs").type, ask("runs.csv").type);
}

TEST_F(KeptAnswers, LeaveOutErrorsAndStatements) {
  EXPECT_EQ(ask("runs", {{"limt", "3"}}).status, 400);
  ask("sql", {{"q", "SELECT 1"}});
  EXPECT_EQ(cache_.bytes(), 0U);
}

}  // namespace
}  // namespace opbench
