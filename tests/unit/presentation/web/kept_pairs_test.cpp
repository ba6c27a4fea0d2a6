#include "presentation/web/compare/kept_pairs.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "presentation/web/requests/view_answer.h"
#include "records/store/parts/benchmark_parts.h"

namespace opbench {
namespace {

std::shared_ptr<const PairedRows> pair_of(size_t rows) {
  const auto pair = std::make_shared<PairedRows>();
  pair->rows.resize(rows);
  return pair;
}

TEST(KeptPairs, AreTheLastOnes) {
  KeptPairs pairs;
  pairs.keep("a", pair_of(1));
  pairs.keep("b", pair_of(2));
  ASSERT_NE(pairs.find("a"), nullptr);
  pairs.keep("c", pair_of(3));
  EXPECT_EQ(pairs.find("b"), nullptr);
  ASSERT_NE(pairs.find("a"), nullptr);
  EXPECT_EQ(pairs.find("a")->rows.size(), 1U);
  EXPECT_EQ(pairs.find("c")->rows.size(), 3U);
}

TEST(KeptPairs, AreNoLargeOnes) {
  KeptPairs pairs;
  pairs.keep("a", pair_of(KeptPairs::kMostRows + 1));
  EXPECT_EQ(pairs.find("a"), nullptr);
}

BenchmarkRecord record_of_pair(const std::string& run, const std::string& unit, double ms) {
  BenchmarkRecord record;
  record.timestamp = run == "before" ? "2026-11-27T02:00:00Z" : "2026-11-28T02:00:00Z";
  record.status = "ok";
  record.workload = "opbench." + unit;
  record.engine = "halide";
  record.hardware = "cpu";
  record.scope = "unit";
  record.run_id = run;
  record.model = "net";
  record.runtime_ms_mean = record.runtime_ms_median = ms;
  return record;
}

TEST(KeptPairs, EndWithANewPart) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  auto parts = StoreFolder::open_to_write(folder.path()).value();
  ASSERT_TRUE(append_records(parts, {record_of_pair("before", "relu 1x4", 1)}));
  ASSERT_TRUE(append_records(parts, {record_of_pair("after", "relu 1x4", 2)}));
  const auto store = WebStore::open(folder.path()).value();
  ASSERT_TRUE(store->refresh());
  KeptPairs pairs;
  const auto ask = [&](const std::string& path, WebRequest::Parameters parameters) {
    parameters.insert(parameters.end(), {{"a", "run:before"}, {"b", "run:after"}});
    return Json::parse(
        answer_to(path, {.store = *store, .pairs = &pairs}, WebRequest(parameters)).body);
  };
  EXPECT_EQ(ask("compare", {})["matched"], 1);
  EXPECT_EQ(ask("compare", {{"sort", "name"}})["rows"][0]["unit"], "relu 1x4");
  EXPECT_EQ(ask("compare", {{"q", "no such row"}})["matched"], 0);
  ASSERT_TRUE(append_records(
      parts, {record_of_pair("before", "add 1x4", 1), record_of_pair("after", "add 1x4", 1),
              record_of_pair("after", "tanh 1x4", 1)}));
  ASSERT_TRUE(store->refresh());
  EXPECT_EQ(ask("compare", {})["matched"], 2);
  const Json only = ask("compare/only", {{"side", "b"}});
  EXPECT_EQ(only["total"], 1);
  EXPECT_EQ(only["rows"][0]["unit"], "tanh 1x4");
  EXPECT_FALSE(only["rows"][0].contains("total"));
  const Json behind = ask("compare/only", {{"side", "b"}, {"offset", "5"}});
  EXPECT_EQ(behind["total"], 1);
  EXPECT_TRUE(behind["rows"].empty());
  EXPECT_EQ(ask("compare/only", {{"side", "a"}})["total"], 0);
}

}  // namespace
}  // namespace opbench
