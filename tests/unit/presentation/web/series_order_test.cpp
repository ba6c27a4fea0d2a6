#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "experiments/regress/kept_findings.h"
#include "experiments/regress/night_run.h"
#include "presentation/web/requests/view_answer.h"
#include "presentation/web/view.h"
#include "records/store/parts/benchmark_parts.h"

namespace opbench {
namespace {

BenchmarkRecord night_record(const std::string& night, const std::string& commit,
                             const std::string& measured, double ms) {
  BenchmarkRecord record;
  record.timestamp = measured + "T02:00:00Z";
  record.status = "ok";
  record.workload = "opbench.relu 1x4";
  record.engine = "halide";
  record.hardware = "cpu";
  record.machine_hash = "0123456789abcdef";
  record.scope = "unit";
  record.run_id = "run of " + night;
  record.model = "net";
  record.runtime_ms_mean = record.runtime_ms_median = ms;
  record.labels = {{"watch_suite", "nightly"},
                   {"watch_branch", "main"},
                   {"watch_night", night},
                   {"watch_commit", commit},
                   {"watch_subject", "net"}};
  return record;
}

/// The night of c2 was left out at first, and measured after that of c3.
class SeriesOrder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::make_unique<TemporaryFolder>(TemporaryFolder::make().value());
    auto store = StoreFolder::open_to_write(folder_->path()).value();
    ASSERT_TRUE(append_records(store, {night_record("2026-11-01", "c1", "2026-11-01", 1),
                                       night_record("2026-11-03", "c3", "2026-11-03", 3),
                                       night_record("2026-11-02", "c2", "2026-11-04", 2)}));
    store_ = WebStore::open(folder_->path()).value();
    ASSERT_TRUE(store_->refresh());
  }

  void keep_nights() {
    KeptFindings findings{.suite = "nightly",
                          .branch = "main",
                          .machine = "0123456789abcdef",
                          .night = "2026-11-03",
                          .commit = "c3",
                          .at = "2026-11-04T03:00:00Z"};
    int index = 0;
    for (const char* commit : {"c1", "c2", "c3"}) {
      findings.nights.push_back({.index = index, .date = "2026-11-0" + std::to_string(index + 1)});
      findings.nights.back().commits = {{.id = "docs " + std::string(commit), .is_code = false},
                                        {.id = commit}};
      ++index;
    }
    const auto folder = watch_folder(folder_->path(), "nightly");
    ASSERT_TRUE(make_writable_folder(folder));
    ASSERT_TRUE(keep_findings(folder, findings));
  }

  Json ask(const std::string& by, int status = 200) {
    const Json list =
        Json::parse(answer_to("series/list", {.store = *store_}, WebRequest({})).body);
    WebRequest::Parameters asked = {{"id", list["rows"][0]["id"].get<std::string>()}};
    if (!by.empty()) asked.emplace_back("by", by);
    const WebAnswer answer = answer_to("series", {.store = *store_}, WebRequest(asked));
    EXPECT_EQ(answer.status, status) << answer.body;
    return Json::parse(answer.body);
  }
  static Json times_of(const Json& answer) { return answer["series"][0]["points"]["ms"]; }

  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<WebStore> store_;
};

TEST_F(SeriesOrder, IsThatOfTimesUnlessCommitsAreAskedFor) {
  keep_nights();
  EXPECT_EQ(times_of(ask("")), Json({1.0, 3.0, 2.0}));
  const Json answer = ask("commit");
  EXPECT_EQ(times_of(answer), Json({1.0, 2.0, 3.0}));
  EXPECT_EQ(answer["commits"], Json({"c1", "c2", "c3"})) << "those that were measured";
}

TEST_F(SeriesOrder, IsThatOfTimesWhereNobodyKnowsTheCommits) {
  EXPECT_EQ(times_of(ask("commit")), Json({1.0, 3.0, 2.0}));
  EXPECT_EQ(ask("commit")["commits"], Json({"c1", "c3", "c2"}));
}

TEST_F(SeriesOrder, PutsAnUnknownCommitBehindWhatWasMeasuredBeforeIt) {
  keep_nights();
  auto store = StoreFolder::open_to_write(folder_->path()).value();
  ASSERT_TRUE(append_records(store, {night_record("2026-11-01b", "fix", "2026-11-02", 9)}));
  ASSERT_TRUE(store_->refresh());
  EXPECT_EQ(times_of(ask("commit")), Json({1.0, 9.0, 2.0, 3.0}));
}

TEST_F(SeriesOrder, RefusesAnotherWord) { EXPECT_EQ(ask("comit", 400)["did_you_mean"], "commit"); }

}  // namespace
}  // namespace opbench
