#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "export_checks.h"
#include "sample_profile.h"

namespace opbench {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// The model of sample_profile: a -> b -> p -> s, of which p has no name of its own.
Graph sample_graph() {
  Graph graph{.name = "tiny graph"};
  graph.nodes = {{.name = "a", .type = "Conv", .inputs = {"data"}, .outputs = {"a_out"}},
                 {.name = "b", .type = "Relu", .inputs = {"a_out"}, .outputs = {"b_out"}},
                 {.name = "p", .type = "MaxPool", .inputs = {"b_out"}, .outputs = {"p"}},
                 {.name = "s", .type = "Softmax", .inputs = {"p"}, .outputs = {"s_out"}}};
  return graph;
}

int events_of_kind(const Json& trace, const std::string& kind) {
  int count = 0;
  for (const Json& event : trace["traceEvents"]) count += event["ph"] == kind ? 1 : 0;
  return count;
}

TEST(Exports, TraceNestsAndDrawsDependencies) {
  const ProfileResult profile = reread(sample_profile());
  const Graph graph = sample_graph();
  const auto with_graph = exported("trace", profile, &graph);
  ASSERT_TRUE(with_graph) << to_text(with_graph.error());
  const Json trace = Json::parse(with_graph->text);
  expect_sound_trace(trace);
  EXPECT_EQ(events_of_kind(trace, "X"), 3);  // the model, two units
  EXPECT_EQ(events_of_kind(trace, "s"), 1);  // from the convolution to the pooling
  EXPECT_EQ(events_of_kind(trace, "i"), 1);  // the unit that failed
  EXPECT_THAT(with_graph->text, HasSubstr("killed by signal 11"));

  const auto without = exported("trace", profile);
  ASSERT_TRUE(without);
  expect_sound_trace(Json::parse(without->text));
  EXPECT_EQ(events_of_kind(Json::parse(without->text), "s"), 0);
  EXPECT_THAT(without->remarks, SizeIs(1));
}

TEST(Exports, NetronTargetsAreNodesAndValuesOfTheGraph) {
  const Graph graph = sample_graph();
  const auto file = exported("netron", reread(sample_profile()), &graph);
  ASSERT_TRUE(file);
  const Json json = Json::parse(file->text);
  EXPECT_EQ(json["signature"], "netron:attachment");
  std::set<std::string> nodes, values;
  for (const char* part : {"metrics", "metadata"}) {
    ASSERT_FALSE(json[part].empty());
    for (const Json& entry : json[part]) {
      EXPECT_TRUE(entry.contains("name") && entry.contains("value"));
      if (entry["kind"] == "node") nodes.insert(entry["target"]);
      if (entry["kind"] == "value") values.insert(entry["target"]);
    }
  }
  EXPECT_EQ(nodes, (std::set<std::string>{"a", "b", "s"}));
  EXPECT_EQ(values, (std::set<std::string>{"p"}));  // it has no name: its output stands for it
}

TEST(Exports, ModelExplorerKeysAreOfTheGraph) {
  const Graph graph = sample_graph();
  const auto file = exported("model-explorer", reread(sample_profile()), &graph);
  ASSERT_TRUE(file);
  const Json json = Json::parse(file->text);
  const Json& data = json["tiny graph"];
  EXPECT_EQ(data["results"]["a"]["value"], 2.25);
  EXPECT_EQ(data["results"]["b"]["value"], "in the unit of a");
  EXPECT_EQ(data["results"]["p"]["value"], 0.05);
  EXPECT_THAT(data["results"]["s"]["value"], HasSubstr("run_error"));
  EXPECT_THAT(data["results"], SizeIs(4));
  EXPECT_EQ(data["gradient"].front()["stop"], 0);
  EXPECT_EQ(data["gradient"].back()["stop"], 1);
}

TEST(Exports, NodesThatTheGraphLacksAreCounted) {
  Graph graph = sample_graph();
  graph.nodes.pop_back();
  for (const char* format : {"netron", "model-explorer"}) {
    const auto file = exported(format, reread(sample_profile()), &graph);
    ASSERT_TRUE(file);
    EXPECT_THAT(file->remarks, testing::ElementsAre(HasSubstr("1 nodes of the profile")));
  }
  graph.nodes.clear();
  const auto none = exported("netron", reread(sample_profile()), &graph);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNoMatch);
}

TEST(Exports, BencherCountsNanoseconds) {
  const auto file = exported("bmf", reread(sample_profile()));
  ASSERT_TRUE(file);
  const Json json = Json::parse(file->text);
  const Json& latency = json.at(
      "tiny / halide, 1 thread / conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu")["latency"];
  EXPECT_DOUBLE_EQ(latency["value"], 2e6);
  EXPECT_DOUBLE_EQ(latency["lower_value"], 1.99e6);
  EXPECT_DOUBLE_EQ(latency["upper_value"], 2.01e6);
  EXPECT_TRUE(json.contains("tiny / halide, 1 thread / end to end"));
  EXPECT_THAT(file->remarks, SizeIs(1));  // the row that failed
}

TEST(Exports, ATimeWithoutIntervalHasNoBoundsInBencher) {
  ProfileResult profile = sample_profile();
  Measurement& time = *profile.engines[0].units[0].time;
  time.low_ms = time.high_ms = time.median_ms;
  const auto file = exported("bmf", reread(profile));
  ASSERT_TRUE(file);
  const Json json = Json::parse(file->text);
  const Json& latency = json.front()["latency"];
  EXPECT_FALSE(latency.contains("lower_value"));
  EXPECT_FALSE(latency.contains("upper_value"));
}

TEST(Exports, RooflineNamesCeilingsAndRowsInWords) {
  ProfileResult profile = sample_profile();
  profile.model = "a <b> & \"c\"";
  EngineResult& engine = profile.engines[0];
  engine.memory_gbytes_per_s = 20;
  engine.units[0].bytes = 1.5e6;
  const auto file = exported("roofline", reread(profile));
  ASSERT_TRUE(file) << to_text(file.error());
  EXPECT_THAT(file->text, HasSubstr("a &lt;b&gt; &amp; &quot;c&quot;: roofline"));
  EXPECT_THAT(file->text, HasSubstr("117.4 GFLOP/s"));
  EXPECT_THAT(file->text, HasSubstr("20 GB/s"));
  EXPECT_THAT(file->text, HasSubstr("1  conv2d 1x64x56x56"));
  EXPECT_THAT(file->text, Not(HasSubstr("nan")));
  const auto none = exported("roofline", reread(sample_profile()));
  ASSERT_FALSE(none);  // no bytes are known
  EXPECT_EQ(none.error().code, ErrorCode::kNoMatch);
  EXPECT_THAT(none.error().facts.at(0).text, HasSubstr("SIGSEGV"));
}

TEST(Exports, PytorchFilesAreReadBackWithTheSameValues) {
  const ProfileResult profile = reread(sample_profile());
  const auto file = exported("pytorch-v3", profile);
  ASSERT_TRUE(file);
  const std::vector<ExportRow> rows = rows_of_export(profile);
  const std::vector<BenchmarkRecord> records = imported(file->text, "pytorch-v3");
  ASSERT_EQ(records.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) expect_row(profile, rows[i], records[i]);
  EXPECT_EQ(records[2].error_no, 4);
  EXPECT_EQ(records[0].reproducer, profile.engines[0].units[0].reproducer);
}

TEST(Exports, SamplesArePytorchsBenchmarkValues) {
  const ProfileResult profile = sample_profile();  // with its samples
  const auto file = exported("pytorch-v3", profile);
  ASSERT_TRUE(file);
  const Json json = Json::parse(file->text);
  EXPECT_EQ(json[0]["metric"]["benchmark_values"], Json::array({2.0}));  // the clean one
  EXPECT_EQ(json[0]["model"]["backend"], "halide");
  for (const auto& [key, value] : json[0]["benchmark"]["extra_info"].items()) {
    EXPECT_TRUE(value.is_string()) << key;  // the database holds nothing else there
  }
  const std::vector<BenchmarkRecord> records = imported(file->text, "pytorch-v3");
  EXPECT_EQ(records.at(0).runtime_raw_ms, std::vector<double>{2.0});
}

TEST(Exports, FlashinferTracesAreReadBackWithTheSameValues) {
  ProfileResult profile = reread(sample_profile());
  UnitResult& broken = profile.engines[0].units[2];
  broken.identity = identity_from({.workload = "softmax 1x1000"});
  broken.identity.nodes = {"s"};
  const auto file = exported("flashinfer", profile);
  ASSERT_TRUE(file);
  EXPECT_THAT(file->remarks, SizeIs(1));  // the pooling is no workload of ours
  const std::vector<BenchmarkRecord> records = imported(file->text, "flashinfer");
  ASSERT_THAT(records, SizeIs(2));
  expect_row(profile, {&profile.engines[0], &profile.engines[0].units[0]}, records[0]);
  expect_row(profile, {&profile.engines[0], &broken}, records[1]);
  EXPECT_EQ(records[1].error_no, 4);
  EXPECT_EQ(records[0].engine_version, "0.1.0");
}

TEST(Exports, EveryFailureHasAStatusOfFlashinfer) {
  const std::map<FailureKind, std::string> kWords = {
      {FailureKind::kBuildError, "COMPILE_ERROR"},
      {FailureKind::kBuildTimeout, "TIMEOUT"},
      {FailureKind::kRunError, "RUNTIME_ERROR"},
      {FailureKind::kRunTimeout, "TIMEOUT"},
      {FailureKind::kWrongResult, "INCORRECT_NUMERICAL"},
      {FailureKind::kDeviceLost, "RUNTIME_ERROR"},
      {FailureKind::kInvalidConfig, "COMPILE_ERROR"},
      {FailureKind::kUnsupported, "RUNTIME_ERROR"}};
  const std::map<FailureKind, int64_t> kNumbers = {
      {FailureKind::kBuildError, 2},    {FailureKind::kBuildTimeout, 6},
      {FailureKind::kRunError, 4},      {FailureKind::kRunTimeout, 7},
      {FailureKind::kWrongResult, 5},   {FailureKind::kDeviceLost, 8},
      {FailureKind::kInvalidConfig, 1}, {FailureKind::kUnsupported, 8}};
  for (const auto& [kind, word] : kWords) {
    ProfileResult profile = reread(sample_profile());
    UnitResult& unit = profile.engines[0].units[0];
    unit.failure = Failure{kind, "why"};
    unit.time.reset();
    const auto file = exported("flashinfer", profile);
    ASSERT_TRUE(file);
    const Json trace = Json::parse(file->text.substr(0, file->text.find('\n')));
    EXPECT_EQ(trace["evaluation"]["status"], word);
    EXPECT_FALSE(trace["evaluation"].contains("performance"));
    EXPECT_EQ(trace["evaluation"].contains("correctness"), word == "INCORRECT_NUMERICAL");
    EXPECT_EQ(imported(file->text, "flashinfer").at(0).error_no, kNumbers.at(kind)) << word;
  }
}

TEST(Exports, AProfileThatFailedAsAWholeIsNamed) {
  ProfileResult profile = sample_profile();
  profile.engines[0].units.clear();
  profile.engines[0].model = {.end_to_end_reason = "the engine ended: killed by signal 9"};
  const ProfileResult failed = reread(profile);
  const Graph graph = sample_graph();
  for (const ExportDef& format : export_table().all()) {
    const auto text = format.write({.profile = failed, .graph = &graph});
    if (format.name == "pytorch-v3") {  // it has a place for failures
      ASSERT_TRUE(text);
      EXPECT_EQ(imported(text->text, "pytorch-v3").at(0).status, "error");
      continue;
    }
    ASSERT_FALSE(text) << format.name;
    EXPECT_EQ(text.error().code, ErrorCode::kNoMatch);
    EXPECT_THAT(to_text(text.error()), HasSubstr("killed by signal 9")) << format.name;
  }
}

}  // namespace
}  // namespace opbench
