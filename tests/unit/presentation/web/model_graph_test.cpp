#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "presentation/web/requests/view_answer.h"
#include "presentation/web/view.h"
#include "records/store/parts/benchmark_parts.h"

namespace opbench {
namespace {

/// The record of a whole model with `steps` as JSON; none where that is empty.
BenchmarkRecord graph_record(const std::string& run, const std::string& engine,
                             const std::string& steps) {
  BenchmarkRecord record;
  record.timestamp = "2026-11-28T02:00:00Z";
  record.status = "ok";
  record.workload = "net";
  record.model = "net";
  record.engine = engine;
  record.hardware = "cpu";
  record.machine_hash = "0123456789abcdef";
  record.scope = "model";
  record.run_id = run;
  record.runtime_ms_mean = record.runtime_ms_median = 6;
  record.workload_metadata =
      JsonText{steps.empty() ? R"({"source":"zoo"})" : R"({"source":"zoo","steps":)" + steps + "}"};
  return record;
}

/// The view's answer over a store that holds the records.
Json answer_of(const std::string& view, const std::vector<BenchmarkRecord>& records,
               WebRequest::Parameters more = {}, int status = 200) {
  const auto folder = TemporaryFolder::make().value();
  auto store = StoreFolder::open_to_write(folder.path()).value();
  EXPECT_TRUE(append_records(store, records));
  const auto web = WebStore::open(folder.path()).value();
  EXPECT_TRUE(web->refresh());
  more.emplace_back("run", "run:r");
  const WebAnswer answer = answer_to(view, {.store = *web}, WebRequest(more));
  EXPECT_EQ(answer.status, status) << answer.body;
  return Json::parse(answer.body);
}

TEST(ModelView, ShowsTheFindingsThatARunRecorded) {
  BenchmarkRecord record = graph_record("r", "halide", "");
  EXPECT_EQ(answer_of("model", {record})["findings"], nullptr) << "the run looked for none";
  record.metadata = JsonText{
      R"({"findings":[{"finding":"run on 2 threads","where":"net","evidence":"2 CPUs",)"
      R"("gain_low_pct":30,"gain_high_pct":50,"command":"opbench profile net --threads 2",)"
      R"("measured_gain_pct":41.5},{"finding":"<b>other</b>","gain_low_pct":1,"gain_high_pct":3,)"
      R"("measured_gain_pct_reason":"it failed"}]})"};
  const Json findings = answer_of("model", {record})["findings"];
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0]["gain_pct"], 40);
  EXPECT_EQ(findings[0]["measured_pct"], 41.5);
  EXPECT_EQ(findings[0]["not_measured"], nullptr);
  EXPECT_EQ(findings[1]["finding"], "<b>other</b>");
  EXPECT_EQ(findings[1]["measured_pct"], nullptr);
  EXPECT_EQ(findings[1]["not_measured"], "it failed");
}

constexpr const char* kDiamond =
    R"([{"workload":"opbench.relu 1x4","nodes":["a"],"in_place_ms":1,"needs":[]},)"
    R"({"workload":"opbench.add 1x4","nodes":["<b>"],"in_place_ms":2,"needs":[0]},)"
    R"({"workload":"opbench.add 1x4","nodes":["c"],"in_place_ms":2,"needs":[0]},)"
    R"({"workload":"onnxruntime.Sum","nodes":["d","e"],"in_place_ms":5,"needs":[1,2,9]}])";

Json ask(const std::vector<BenchmarkRecord>& records, WebRequest::Parameters more = {},
         int status = 200) {
  return answer_of("model/graph", records, std::move(more), status);
}

TEST(ModelGraphView, DrawsStepsByWhatTheyNeed) {
  const Json graph = ask({graph_record("r", "halide", kDiamond)});
  ASSERT_EQ(graph["nodes"].size(), 4U);
  EXPECT_EQ(graph["engine"], "halide@1");
  EXPECT_EQ(graph["why_no_edges"], nullptr);
  EXPECT_EQ(graph["nodes"][1]["unit"], "add 1x4");
  EXPECT_EQ(graph["nodes"][1]["operator"], "add");
  EXPECT_EQ(graph["nodes"][1]["layer"], graph["nodes"][2]["layer"]);
  EXPECT_NE(graph["nodes"][1]["x"], graph["nodes"][2]["x"]);
  EXPECT_EQ(graph["nodes"][3]["name"], "d, e");
  EXPECT_EQ(graph["nodes"][3]["layer"], 2);
  EXPECT_EQ(graph["nodes"][3]["share_pct"], 50);
  EXPECT_EQ(graph["edges"].size(), 4U) << "a need that leads forward is none";
}

TEST(ModelGraphView, TakesTheEngineThatIsAskedFor) {
  const std::vector<BenchmarkRecord> records = {
      graph_record("r", "a-engine", ""), graph_record("r", "halide", kDiamond),
      graph_record("r", "onnxruntime",
                   R"([{"workload":"onnxruntime.Sum","nodes":["d"],"needs":[]}])")};
  EXPECT_EQ(ask(records)["engine"], "halide@1") << "the first that has steps";
  EXPECT_EQ(ask(records)["engines"], Json({"halide@1", "onnxruntime@1"}));
  EXPECT_EQ(ask(records, {{"engine", "onnxruntime@1"}})["nodes"].size(), 1U);
  const Json none = ask(records, {{"engine", "a-engine@1"}});
  EXPECT_TRUE(none["nodes"].empty());
  EXPECT_TRUE(none["why_no_edges"].get<std::string>().starts_with("The records of this run"));
  EXPECT_EQ(ask(records, {{"engine", "halid@1"}}, 400)["did_you_mean"], "halide@1");
}

TEST(ModelGraphView, KeepsTheOrderWhereNeedsAreNotKnown) {
  const Json graph =
      ask({graph_record("r", "halide", R"([{"workload":"opbench.relu 1x4"},{"workload":7}, 5])")});
  ASSERT_EQ(graph["nodes"].size(), 3U);
  EXPECT_TRUE(graph["edges"].empty());
  EXPECT_EQ(graph["nodes"][2]["layer"], 2);
  EXPECT_EQ(graph["nodes"][2]["unit"], nullptr);
  EXPECT_TRUE(
      graph["why_no_edges"].get<std::string>().ends_with("opbench profile net tells both."));
}

TEST(ModelGraphView, SaysWhyThereIsNone) {
  BenchmarkRecord unit = graph_record("r", "halide", "");
  unit.scope = "unit";
  unit.workload = "opbench.relu 1x4";
  EXPECT_EQ(ask({unit})["why_no_edges"],
            "This run measured units alone and not the whole model: it has no graph.");
  ask({unit}, {{"model", "nett"}}, 404);
}

TEST(ModelGraphView, JoinsStepsOfALargeModel) {
  Json steps = Json::array();
  for (size_t i = 0; i < 2000; ++i) {
    steps.push_back({{"workload", "opbench.relu 1x4"}, {"nodes", {fmt::format("n{}", i)}}});
    steps.back()["in_place_ms"] = 0.5;
    steps.back()["needs"] = i == 0 ? Json::array() : Json({i - 1, i / 2});
  }
  const Json graph = ask({graph_record("r", "halide", steps.dump())});
  EXPECT_EQ(graph["steps"], 2000);
  EXPECT_LE(graph["nodes"].size(), 300U);
  double sum = 0;
  int64_t drawn = 0;
  for (const Json& node : graph["nodes"]) {
    sum += node["share_pct"].get<double>();
    drawn += node["steps"].get<int64_t>();
  }
  EXPECT_NEAR(sum, 100, 1e-6);
  EXPECT_EQ(drawn, 2000);
}

}  // namespace
}  // namespace opbench
