#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "presentation/web/compare/run_pair.h"
#include "presentation/web/requests/view_answer.h"
#include "presentation/web/site/site_export.h"
#include "presentation/web/view.h"
#include "records/store/parts/benchmark_parts.h"
#include "records/store/parts/compact.h"

namespace opbench {
namespace {

BenchmarkRecord record_of(const std::string& run, const std::string& unit, double ms) {
  BenchmarkRecord record;
  record.timestamp = run == "before" ? "2026-11-27T02:00:00Z" : "2026-11-28T02:00:00Z";
  record.status = "ok";
  record.workload = "opbench." + unit;
  record.engine = "halide";
  record.hardware = "cpu";
  record.hw_model = "A CPU";
  record.machine_hash = "0123456789abcdef";
  record.scope = "unit";
  record.run_id = run;
  record.model = "<b>net</b>";
  record.nodes = std::vector<std::string>{"node_" + unit};
  record.count = 1;
  record.runtime_ms_mean = record.runtime_ms_median = ms;
  record.runtime_ms_low = 0.999 * ms;
  record.runtime_ms_high = 1.001 * ms;
  record.n_samples = 3;
  record.runtime_raw_ms = std::vector<double>{ms, ms, ms};
  record.argv = std::vector<std::string>{"opbench", "profile", "net"};
  return record;
}

/// Two runs: one unit is slower, one the same, one is new.
class WebViews : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::make_unique<TemporaryFolder>(TemporaryFolder::make().value());
    auto store = StoreFolder::open_to_write(folder_->path()).value();
    ASSERT_TRUE(append_records(
        store, {record_of("before", "relu 1x4", 1), record_of("before", "add 1x4", 2)}));
    store_ = WebStore::open(folder_->path()).value();
    ASSERT_TRUE(store_->refresh());
    ASSERT_TRUE(append_records(
        store, {record_of("after", "relu 1x4", 1.1), record_of("after", "add 1x4", 2),
                record_of("after", "tanh 1x4", 3)}));
    ASSERT_TRUE(store_->refresh());
  }

  Json ask(const std::string& path, WebRequest::Parameters parameters, int status = 200) {
    const WebAnswer answer = answer_to(path, {.store = *store_}, WebRequest(std::move(parameters)));
    EXPECT_EQ(answer.status, status) << answer.body;
    return Json::parse(answer.body);
  }

  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<WebStore> store_;
};

TEST_F(WebViews, CompareWhatBothRunsHave) {
  const Json answer = ask("compare", {{"a", "run:before"}, {"b", "run:after"}});
  EXPECT_EQ(answer["matched"], 2);
  EXPECT_EQ(answer["only_a"], 0);
  EXPECT_EQ(answer["only_b"], 1);
  EXPECT_EQ(answer["counts"]["slower"], 1);
  EXPECT_EQ(answer["counts"]["same"], 1);
  const Json& first = answer["rows"][0];
  EXPECT_EQ(first["unit"], "relu 1x4");
  EXPECT_NEAR(first["change_pct"].get<double>(), 10, 1e-9);
  const Json only = ask("compare/only", {{"a", "run:before"}, {"b", "run:after"}, {"side", "b"}});
  ASSERT_EQ(only["rows"].size(), 1U);
  EXPECT_EQ(only["rows"][0]["unit"], "tanh 1x4");
}

TEST_F(WebViews, GivesNoVerdictOnTimesOfOtherClocks) {
  BenchmarkRecord simulated = record_of("simulated", "relu 1x4", 2);
  simulated.execution_config = JsonText{R"({"timer":"simulated"})"};
  simulated.engine_config = JsonText{R"({"device":{"clock":"event","description":"VTA"}})"};
  simulated.metrics = std::map<std::string, double>{{"device_ms", 1.5}};
  auto folder = StoreFolder::open_to_write(folder_->path()).value();
  ASSERT_TRUE(append_records(folder, {simulated}));
  ASSERT_TRUE(store_->refresh());
  const WebRequest::Parameters sides = {{"a", "run:before"}, {"b", "run:simulated"}};
  const Json answer = ask("compare", sides);
  EXPECT_EQ(answer["without_verdict"], 1);
  for (const auto& [word, count] : answer["counts"].items()) EXPECT_EQ(count, 0) << word;
  ASSERT_EQ(answer["rows"].size(), 1U);
  const Json& row = answer["rows"][0];
  EXPECT_EQ(row["verdict"], nullptr);
  EXPECT_EQ(row["no_verdict"],
            "the times are from different clocks, wall and simulated: a ratio, no verdict");
  EXPECT_NEAR(row["change_pct"].get<double>(), 100, 1e-9);
  EXPECT_EQ(row["device_a"], nullptr);
  EXPECT_EQ(row["device_b"], "VTA");
  EXPECT_EQ(row["b_device_ms"], 1.5);
  EXPECT_EQ(row["clock_b"], "simulated");
  EXPECT_NE(row["series_a"], row["series_b"]) << "a device has a history of its own";
  WebRequest::Parameters relevant = sides;
  relevant.emplace_back("verdict", "relevant");
  EXPECT_EQ(ask("compare", relevant)["rows"].size(), 0U);
  const Json model = ask("model", {{"run", "run:simulated"}});
  EXPECT_EQ(model["engines"][0]["device"], "VTA");
  EXPECT_EQ(model["engines"][0]["clock"], "simulated");
  EXPECT_EQ(model["engines"][0]["device_clock"], "event");
  const Json& times = model["units"][0]["by_engine"]["halide@1"];
  EXPECT_EQ(times["device_ms"], 1.5);
  EXPECT_EQ(times["series"], row["series_b"]);
}

TEST_F(WebViews, ExpandARowToItsSamples) {
  const Json answer = ask("compare", {{"a", "run:before"}, {"b", "run:after"}});
  const Json row = ask("compare/row", {{"a", "run:before"},
                                       {"b", "run:after"},
                                       {"key", answer["rows"][0]["key"].get<std::string>()}});
  EXPECT_EQ(row["samples_b"]["ms"], Json({1.1, 1.1, 1.1}));
  EXPECT_EQ(row["mark_a"], 0);
  EXPECT_EQ(row["mark_b"], 1);
}

TEST_F(WebViews, KeepAHistoryOverParts) {
  const Json list = ask("series/list", {{"q", "relu"}});
  ASSERT_EQ(list["total"], 1);
  EXPECT_EQ(list["rows"][0]["points"], 2);
  EXPECT_EQ(list["rows"][0]["model"], "<b>net</b>");
  const Json series = ask("series", {{"id", list["rows"][0]["id"].get<std::string>()}});
  EXPECT_EQ(series["series"][0]["points"]["ms"], Json({1.0, 1.1}));
}

TEST_F(WebViews, CountRowsOfMergedPartsOnce) {
  auto store = StoreFolder::open_to_write(folder_->path()).value();
  ASSERT_TRUE(append_records(store, {record_of("later", "relu 1x4", 1)}));
  ASSERT_TRUE(compact(store, RecordKind::kBenchmark));  // of two known parts and a new one
  ASSERT_TRUE(store_->refresh());
  EXPECT_EQ(ask("series/list", {{"q", "relu"}})["rows"][0]["points"], 3);
  ASSERT_TRUE(append_records(store, {record_of("last", "relu 1x4", 1)}));
  ASSERT_TRUE(store_->refresh());
  ASSERT_TRUE(compact(store, RecordKind::kBenchmark));  // of known parts alone
  ASSERT_TRUE(store_->refresh());
  EXPECT_EQ(ask("series/list", {{"q", "relu"}})["rows"][0]["points"], 4);
}

TEST_F(WebViews, ForgetRowsThatTheStoreLost) {
  std::filesystem::remove_all(folder_->path() / "kind=benchmark");
  ASSERT_TRUE(store_->refresh());
  EXPECT_EQ(ask("series/list", {})["total"], 0);
}

TEST_F(WebViews, ShowTheUnitsOfARun) {
  const Json model = ask("model", {{"run", "run:after"}, {"base", "run:before"}, {"sort", "name"}});
  ASSERT_EQ(model["total"], 3);
  EXPECT_EQ(model["units"][1]["unit"], "relu 1x4");
  EXPECT_EQ(model["units"][1]["by_engine"]["halide@1"]["base_ms"], 1.0);
}

TEST_F(WebViews, WriteCommandsThatAShellTakesAsTheyAre) {
  const Json answer = ask("compare", {{"a", "run:before"}, {"b", "run:after"}});
  EXPECT_EQ(answer["command_compare"], nullptr);  // one engine, no commit: nothing to compare
  const std::string model = "net; rm -r x", commit = "3f2a9c0";
  EXPECT_EQ(compare_command(model, {"halide", "onnxruntime"}, commit),
            "opbench compare 'net; rm -r x' --engine halide,onnxruntime");
  EXPECT_EQ(compare_command("net", {"halide"}, commit),
            "opbench compare net --engine halide --base 3f2a9c0");
}

TEST_F(WebViews, ExportTheOverviewWhereNothingElseHasRoom) {
  const auto folder = TemporaryFolder::make().value();
  const auto site = export_site(*store_, "1", {{"index.html", "<!-- opbench-data -->"}},
                                folder.path() / "site", 1);
  ASSERT_TRUE(site) << to_text(site.error());
  const std::string manifest = read_file(folder.path() / "site/data/manifest.js").value();
  EXPECT_NE(manifest.find("api/overview"), std::string::npos);
  EXPECT_EQ(manifest.find("api/runs"), std::string::npos);
}

TEST_F(WebViews, ExportTheGraphOfEachEngine) {
  const auto folder = TemporaryFolder::make().value();
  constexpr size_t kRoom = 1 << 24;
  ASSERT_TRUE(export_site(*store_, "1", {{"index.html", "<!-- opbench-data -->"}},
                          folder.path() / "site", kRoom));
  const std::string manifest = read_file(folder.path() / "site/data/manifest.js").value();
  EXPECT_NE(manifest.find("api/model/graph?engine=halide%401&model="), std::string::npos);
}

TEST_F(WebViews, RefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(ask("compare", {{"a", "run:befor"}, {"b", "run:after"}}, 404)["did_you_mean"],
            "run:before");
  EXPECT_EQ(ask("comparr", {}, 404)["did_you_mean"], "compare");
  EXPECT_EQ(ask("runs", {{"limt", "3"}}, 400)["did_you_mean"], "limit");
  ask("tonight", {}, 404);
  ask("series", {{"id", "' OR 1=1 --"}}, 404);
}

TEST_F(WebViews, WriteCsvThatIsNoFormula) {
  EXPECT_EQ(csv_of(Json::parse(R"([{"a": "=1+1", "b": "x,\"y\"", "c": null, "d": [1]}])")),
            "a,b,c,d\n'=1+1,\"x,\"\"y\"\"\",,[1]\n");
}

}  // namespace
}  // namespace opbench
