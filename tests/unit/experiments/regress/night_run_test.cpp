#include "experiments/regress/night_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

#include "base/files/file.h"
#include "base/system/seconds.h"
#include "experiments/regress/night_history.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kNightEnvironment =
    R"({"machine": {"microcode": "1"}, "software": {"kernel": "6"}, "machine_hash": "m1",
        "software_hash": "s1"})";

Measurement night_time(double median_ms) {
  Measurement time;
  time.median_ms = time.mean_ms = time.low_ms = time.high_ms = time.min_ms = median_ms;
  time.processes = 1;
  for (int i = 0; i < 3; ++i) time.samples.push_back({.wall_s = ms_to_s(median_ms)});
  return time;
}

/// Nights of two cases on a store of their own, with a machine that is played.
class Nights : public ::testing::Test {
 protected:
  Nights() : folder_(std::move(*TemporaryFolder::make())) {
    request_.suite = {.name = "small",
                      .models = {"resnet-18"},
                      .engines = {"halide", "mine"},
                      .controls = {"mine"}};
    request_.store = folder_.path() / "store";
    request_.branch = "main";
    request_.commit = "c1";
    request_.surroundings = "s1";
    request_.hooks.cancel = &cancel_;
    request_.measure = [this](const ProfileRequest& asked) { return measure(asked); };
  }

  Result<ProfileResult> measure(const ProfileRequest& asked) {
    ++measured_;
    if (measured_ == cancel_at_) cancel_ = true;
    if (asked.engines.front() == broken_) {
      return Error{ErrorCode::kEnvironment, "cannot be used here"}.with("reason", "no program");
    }
    ProfileResult result;
    result.run_id = "r" + std::to_string(measured_);
    result.timestamp = "2026-11-28T01:00:0" + std::to_string(measured_ % 10) + "Z";
    result.model = "resnet-18";
    result.source = "zoo";
    result.argv = {"opbench"};
    result.labels = asked.notes.labels;
    result.environment = environment_from(Json::parse(kNightEnvironment));
    EngineResult engine;
    engine.engine = asked.engines.front();
    engine.code_hash = std::string(64, 'a');
    engine.model.end_to_end = night_time(20);
    for (const char* node : {"n1", "n2"}) {
      UnitResult unit;
      unit.identity = identity_from({.workload = "relu 8", .shapes = {}, .layouts = {}});
      unit.identity.nodes = {node};
      unit.time = night_time(2);
      unit.code_hash = std::string(64, 'b');
      engine.units.push_back(unit);
    }
    result.engines = {engine};
    return result;
  }

  NightOutcome run() {
    auto outcome = run_night(request_);
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return outcome ? std::move(*outcome) : NightOutcome();
  }

  std::vector<NightResult> results() {
    auto store = StoreFolder::open_to_read(request_.store);
    return night_results(*store, "small").value();
  }

  TemporaryFolder folder_;
  NightRequest request_;
  std::atomic<bool> cancel_ = false;
  int measured_ = 0, cancel_at_ = -1;
  std::string broken_;
};

TEST_F(Nights, AreKeptWithTheirLabels) {
  const NightOutcome outcome = run();
  EXPECT_EQ(outcome.measured, 2);
  EXPECT_EQ(outcome.labels.night, today());
  EXPECT_THAT(outcome.failures, IsEmpty());
  const std::vector<NightResult> rows = results();
  ASSERT_THAT(rows, SizeIs(6));
  for (const NightResult& row : rows) {
    EXPECT_EQ(row.labels, outcome.labels);
    EXPECT_EQ(row.subject, "resnet-18");
    EXPECT_EQ(row.machine, "m1");
    EXPECT_THAT(row.values, ElementsAre(row.scope == "unit" ? 2 : 20, row.scope == "unit" ? 2 : 20,
                                        row.scope == "unit" ? 2 : 20));
    EXPECT_EQ(row.code_hash, std::string(64, row.scope == "unit" ? 'b' : 'a'));
  }
  // Another one on the same day has another name.
  EXPECT_EQ(run().labels.night, today() + ".2");
  EXPECT_THAT(results(), SizeIs(12));
}

TEST_F(Nights, GoOnWhereTheyWereCutOff) {
  cancel_at_ = 2;
  const NightOutcome cut = run();
  EXPECT_EQ(cut.measured, 1);
  EXPECT_EQ(cut.open, 1) << "a case that was interrupted is not kept";
  cancel_ = false;
  cancel_at_ = -1;
  const NightOutcome rest = run();
  EXPECT_EQ(rest.labels, cut.labels);
  EXPECT_EQ(rest.kept, 1);
  EXPECT_EQ(rest.measured, 1);
  EXPECT_THAT(results(), SizeIs(6)) << "nothing twice";
  // One of another commit is not gone on with.
  cancel_at_ = measured_ + 1;
  run();
  cancel_ = false;
  request_.commit = "c2";
  EXPECT_NE(run().labels.night, rest.labels.night);
}

TEST_F(Nights, SayWhatCouldNotBeMeasured) {
  broken_ = "mine";
  const NightOutcome outcome = run();
  EXPECT_EQ(outcome.measured, 1);
  EXPECT_EQ(outcome.failures, (std::vector<Fact>{{"resnet-18 · mine · 1 thread",
                                                  "cannot be used here; reason: no program"}}));
}

TEST_F(Nights, AreMeasuredByOneProgramAtATime) {
  const auto first = NightLock::take(request_.store, "small");
  ASSERT_TRUE(first) << to_text(first.error());
  const auto second = NightLock::take(request_.store, "small");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(to_text(second.error()), HasSubstr("it is: process "));
  EXPECT_TRUE(NightLock::take(request_.store, "other"));
}

TEST_F(Nights, MakeAHistory) {
  run();
  request_.commit = "c3";
  run();
  request_.commit = "c2";
  request_.night = "backfill";
  run();
  request_.branch = "pull-7";
  request_.night = "pull";
  run();
  HistoryScope scope{.branch = "main",
                     .machine = "m1",
                     .commits = {{"c1", "one"}, {"c2", "two", false}, {"c3", "three"}}};
  const WatchedHistory watched = history_of_nights(results(), request_.suite, scope);
  const History& history = watched.history;
  EXPECT_THAT(watched.commits, ElementsAre("c1", "c2", "c3")) << "a pull request is no base";
  ASSERT_THAT(history.nights, SizeIs(3));
  EXPECT_EQ(history.nights[1].date, "backfill");
  EXPECT_EQ(history.nights[1].commits, (std::vector<Commit>{{"c2", false}}));
  EXPECT_EQ(history.nights[0].method, method_of(request_.suite));
  ASSERT_THAT(history.series, SizeIs(6));
  EXPECT_THAT(history.nights[0].rows, SizeIs(6));
  EXPECT_EQ(history.nights[0].chains.at("halide/resnet-18@1"), 20);
  std::set<std::string> ids;
  for (const Series& series : history.series) {
    ids.insert(series.id);
    EXPECT_EQ(series.is_control, series.engine == "mine");
  }
  EXPECT_TRUE(ids.contains("halide/resnet-18@1/model"));
  EXPECT_TRUE(ids.contains("halide/resnet-18@1/relu 8"));
  EXPECT_TRUE(ids.contains("halide/resnet-18@1/relu 8 at n1") ||
              ids.contains("halide/resnet-18@1/relu 8 at n2"))
      << "of other nodes";
  EXPECT_EQ(watched.subjects.at("halide/resnet-18@1/relu 8").unit, "relu 8");
  scope.tonight = "pull";
  EXPECT_THAT(history_of_nights(results(), request_.suite, scope).commits,
              ElementsAre("c1", "c2", "c3", "c2"));
  scope.machine = "m2";
  EXPECT_THAT(history_of_nights(results(), request_.suite, scope).history.nights, IsEmpty());
}

TEST_F(Nights, PutUnitsIntoTheChainsOfTheirModel) {
  run();
  Graph graph;
  graph.nodes = {{.name = "n1", .type = "Relu", .inputs = {"x"}, .outputs = {"y"}},
                 {.name = "n2", .type = "Relu", .inputs = {"y"}, .outputs = {"z"}}};
  const HistoryScope scope{
      .branch = "main", .machine = "m1", .chains = {{"resnet-18", ModelChains(graph)}}};
  const WatchedHistory watched = history_of_nights(results(), request_.suite, scope);
  for (const Series& series : watched.history.series) {
    EXPECT_EQ(series.chain, series.unit == "model" ? "" : "resnet-18@1/n1..n2") << series.id;
  }
  EXPECT_EQ(watched.history.nights[0].chains.at("halide/resnet-18@1/n1..n2"), 4);
  const PairedChain& chain = watched.chains.at("halide/resnet-18@1/n1..n2");
  EXPECT_THAT(chain.units, ElementsAre("relu 8"));
  EXPECT_EQ(chain.share, 0.2);
  EXPECT_FALSE(chain.subject.is_whole);
  EXPECT_FALSE(watched.chains.contains("halide/resnet-18@1"));
}

TEST(Night, NamesMethodAndSurroundings) {
  const Suite suite{.budget_s = 60, .models = {"resnet-18"}};
  Suite other = suite;
  other.budget_s = 90;
  EXPECT_NE(method_of(other), method_of(suite));
  other.models.push_back("bert");
  other.budget_s = 120;
  EXPECT_EQ(method_of(other), method_of(suite)) << "a case has the same budget";
  other.cache = "cold-all";
  EXPECT_NE(method_of(other), method_of(suite));
  Json environment = Json::parse(kNightEnvironment);
  const auto name_of_it = [&] { return surroundings_of(environment_from(environment)); };
  const std::string name = name_of_it();
  environment["software"]["git_commit"] = "abc";
  EXPECT_EQ(name_of_it(), name) << "our own commit is the axis";
  environment["software"]["kernel"] = "7";
  EXPECT_NE(name_of_it(), name);
}

}  // namespace
}  // namespace opbench
