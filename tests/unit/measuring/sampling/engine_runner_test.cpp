#include "measuring/sampling/engine_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/files/file.h"
#include "measuring/results/sample_json.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// What a fake engine was asked, over all its processes.
struct Log {
  int starts = 0;
  std::vector<std::string> requests;  ///< `0 prepare m`
  std::vector<Json> measures;
  std::vector<Json> choices;  ///< that `prepare` was told, null for none
  std::vector<double> limits_s;
  std::string deadly_prepare;  ///< kills the process
  std::string bad_prepare;     ///< is refused
  int deadly_unit = -1;        ///< kills the process
  bool refuses_to_start = false;
  bool chooses = false;  ///< each process the implementation of its number
  double wall_s = 0.5;   ///< of each sample
  double first_s = 0;    ///< of the first request of a unit in a process, which adds 200 MB
  double later_s = 0;    ///< of the others, which add 30 MB
};

class FakeTransport : public Transport {
 public:
  FakeTransport(Log& log, int process) : log_(log), process_(process) {}

  Outcome<Json> call(const std::string& method, const Json& params, Seconds limit) override {
    if (method == "echo") return unknown(method);
    const std::string name = params.value("name", "");
    log_.requests.push_back(std::to_string(process_) + " " + method + (name.empty() ? "" : " ") +
                            name);
    if (method == "hello") return Json{{"engine", "fake"}, {"protocol", 1}};
    if (method == "prepare") return prepare(name, params);
    if (method == "measure") return measure(params, limit);
    return unknown(method);
  }
  bool is_alive() const override { return alive_; }
  std::optional<ProcessUse> use() const override { return use_; }

 private:
  static Outcome<Json> unknown(const std::string& method) {
    return tl::make_unexpected(Failure{FailureKind::kUnsupported, method});
  }
  Outcome<Json> prepare(const std::string& name, const Json& params) {
    log_.choices.push_back(params.value("choice", Json()));
    if (name == log_.deadly_prepare) return die();
    if (name == log_.bad_prepare) {
      return tl::make_unexpected(Failure{FailureKind::kUnsupported, "cannot run " + name});
    }
    if (!log_.chooses) return Json{{"prepare_ms", 3}};
    return Json{{"prepare_ms", 3}, {"choice", process_}};
  }
  Outcome<Json> measure(const Json& params, Seconds limit) {
    log_.measures.push_back(params);
    log_.limits_s.push_back(limit.count());
    if (params["unit"] == log_.deadly_unit) return die();
    const bool is_first = units_.insert(params["unit"].dump()).second;
    const Seconds spent(is_first ? log_.first_s : log_.later_s);
    std::this_thread::sleep_for(spent);
    use_.cpu_s += 2 * spent.count();
    use_.resident_bytes += is_first ? 200e6 : 30e6;
    Json samples = Json::array();
    for (int i = 0; i < params["repeats"]; ++i) {
      samples.push_back(
          {{"wall_s", log_.wall_s}, {"cpu_s", nullptr}, {"minor_faults", 4}, {"cpu", 1}});
    }
    return Json{{"samples", samples}};
  }
  Outcome<Json> die() {
    alive_ = false;
    return tl::make_unexpected(Failure{FailureKind::kRunError, "killed by signal 11 (SIGSEGV)"});
  }

  Log& log_;
  int process_;
  bool alive_ = true;
  std::set<std::string> units_;  ///< that were measured
  ProcessUse use_;
};

EngineSetup setup(Log& log) {
  EngineSetup result;
  result.start = [&log](int process) -> Result<std::unique_ptr<Transport>> {
    if (log.refuses_to_start) return Error{ErrorCode::kEnvironment, "no such engine", {{"a", "b"}}};
    ++log.starts;
    return std::make_unique<FakeTransport>(log, process);
  };
  result.threads = 2;
  result.cpus = {0, 1};
  result.preparations = {{"m", R"({"name": "m"})"}, {"w", R"({"name": "w"})"}};
  result.cache = "cold-all";
  return result;
}

TEST(EngineRunner, StartsAProcessWhenItIsFirstNeeded) {
  Log log;
  EngineRunner runner({setup(log)}, {{.name = "m", .unit = 3, .expected_s = 0.1}});
  EXPECT_EQ(log.starts, 0);
  const auto samples = runner.measure(0, 2, 4, 2, Seconds(0.03), 3);
  ASSERT_TRUE(samples);
  EXPECT_THAT(log.requests, ElementsAre("2 hello", "2 prepare m", "2 measure m"));
  EXPECT_EQ(samples->size(), 2U);
  EXPECT_EQ(samples->front().process, 2);
  EXPECT_DOUBLE_EQ(samples->front().wall_s, 0.5);
  EXPECT_DOUBLE_EQ(samples->front().cpu_s, 0);
  EXPECT_EQ(samples->front().cpu, 1);
  EXPECT_EQ(log.measures[0], Json::parse(R"({"name": "m", "unit": 3, "number": 4, "repeats": 2,
                            "cache": "cold-all", "warm_up_ms": 30.0, "warm_up_calls": 3})"));
}

/// An engine whose samples are shorter than its requests.
Log log_of_short_samples() {
  Log log;
  log.wall_s = 1e-6;
  return log;
}

EngineSetup hot_setup(Log& log) {
  EngineSetup hot = setup(log);
  hot.cache = "hot";
  return hot;
}

TEST(EngineRunner, WhatReadiesAUnitIsNoMissingTime) {
  Log log = log_of_short_samples();
  log.first_s = 0.04;
  EngineRunner runner({hot_setup(log)}, {{.name = "m", .unit = 3}});
  for (int process = 0; process < 4; ++process) {
    EXPECT_TRUE(runner.measure(0, process, 1, 2, Seconds(0), 0));
    EXPECT_TRUE(runner.measure(0, process, 1, 2, Seconds(0), 0));
  }
}

TEST(EngineRunner, ThirdRequestThatIsLongerThanItsSamplesIsRefused) {
  Log log = log_of_short_samples();
  log.later_s = 0.04;
  EngineRunner runner({hot_setup(log)}, {{.name = "m", .unit = 3}});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(runner.measure(0, 0, 1, 2, Seconds(0), 0));
  const auto samples = runner.measure(0, 0, 1, 2, Seconds(0), 0);
  ASSERT_FALSE(samples);
  EXPECT_THAT(samples.error().text, HasSubstr("its clock cannot be trusted"));
}

TEST(EngineRunner, WhatReadiesAUnitIsNotLeftBehind) {
  Log log;
  EngineRunner runner({setup(log)}, {{.name = "m", .unit = 3}, {.name = "m", .unit = 4}});
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(runner.measure(0, 0, 1, 1, Seconds(0), 0));
    EXPECT_TRUE(runner.measure(1, 0, 1, 1, Seconds(0), 0));
  }
  EXPECT_DOUBLE_EQ(runner.left_behind(0).bytes, 4 * 30e6);
}

TEST(EngineRunner, PreparesAllWhereItIsStartedBeforehand) {
  Log log;
  EngineRunner runner({setup(log)}, {{.name = "m"}});
  EXPECT_TRUE(runner.start(0, 2));
  EXPECT_TRUE(runner.measure(0, 1, 1, 1, Seconds(0), 0));
  EXPECT_THAT(log.requests, ElementsAre("0 hello", "0 prepare m", "0 prepare w", "1 hello",
                                        "1 prepare m", "1 prepare w", "1 measure m"));
}

TEST(EngineRunner, EveryProcessTakesWhatTheFirstChose) {
  Log log;
  log.chooses = true;
  EngineRunner runner({setup(log)}, {{.name = "m"}});
  ASSERT_TRUE(runner.prepared(0, 4, "m"));
  ASSERT_TRUE(runner.prepared(0, 1, "m"));
  ASSERT_TRUE(runner.prepared(0, 2, "m"));
  EXPECT_THAT(log.choices, ElementsAre(Json(), Json(4), Json(4)));
  const Preparation& settled = runner.preparations(0).front();
  EXPECT_EQ(Json::parse(settled.params), Json::parse(R"({"name": "m", "choice": 4})"));
  EXPECT_EQ(runner.preparations(0).back().params, R"({"name": "w"})");
}

TEST(EngineRunner, SaysWhatACallCostsWhereCachesAreEmptied) {
  Log log;
  EngineSetup hot = setup(log);
  hot.cache = "hot";
  EngineRunner runner({setup(log), hot}, {{.engine = 0, .name = "m"}, {.engine = 1, .name = "m"}});
  EXPECT_GT(runner.measure(0, 0, 1, 1, Seconds(0), 0)->front().spent_s, 0);
  EXPECT_EQ(runner.measure(1, 0, 1, 1, Seconds(0), 0)->front().spent_s, 0);
}

TEST(EngineRunner, AsksForTheWholeModelWithoutAUnit) {
  Log log;
  EngineRunner runner({setup(log)});
  EXPECT_EQ(runner.add({.name = "m"}), 0U);
  ASSERT_TRUE(runner.measure(0, 0, 1, 1, Seconds(0), 0));
  EXPECT_TRUE(log.measures[0]["unit"].is_null());
}

TEST(EngineRunner, StartsAllProcessesAheadOfTheBudget) {
  Log log;
  EngineRunner runner({setup(log)}, {{.name = "m"}});
  ASSERT_TRUE(runner.start(0, 3));
  EXPECT_EQ(log.starts, 3);
  ASSERT_TRUE(runner.measure(0, 1, 1, 1, Seconds(0), 0));
  EXPECT_EQ(log.starts, 3);
  runner.stop(0);
  ASSERT_TRUE(runner.hello(0, 0));
  EXPECT_EQ(log.starts, 4);
}

TEST(EngineRunner, RestartsAProcessThatDied) {
  Log log;
  log.deadly_unit = 1;
  EngineRunner runner({setup(log)}, {{.name = "m", .unit = 0}, {.name = "m", .unit = 1}});
  const auto crashed = runner.measure(1, 0, 1, 1, Seconds(0), 0);
  ASSERT_FALSE(crashed);
  EXPECT_THAT(crashed.error().text, HasSubstr("SIGSEGV"));
  ASSERT_TRUE(runner.recover(1, 0));
  EXPECT_EQ(log.starts, 2);
  EXPECT_TRUE(runner.measure(0, 0, 1, 1, Seconds(0), 0));
  EXPECT_EQ(log.starts, 2);
}

TEST(EngineRunner, DoesNotRepeatAPreparationThatKilledAProcess) {
  Log log;
  log.deadly_prepare = "m";
  EngineRunner runner({setup(log)}, {{.name = "m"}, {.name = "w"}});
  EXPECT_TRUE(runner.start(0, 2));
  EXPECT_TRUE(runner.measure(1, 0, 1, 1, Seconds(0), 0));
  EXPECT_TRUE(runner.measure(1, 1, 1, 1, Seconds(0), 0));
  const auto failed = runner.measure(0, 1, 1, 1, Seconds(0), 0);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().text, HasSubstr("SIGSEGV"));
  EXPECT_EQ(std::ranges::count(log.requests, "0 prepare m"), 1);
  EXPECT_EQ(std::ranges::count(log.requests, "1 prepare m"), 0);
}

TEST(EngineRunner, FailsOnlyTheItemsOfARefusedPreparation) {
  Log log;
  log.bad_prepare = "w";
  EngineRunner runner({setup(log)}, {{.name = "m"}, {.name = "w"}, {.name = "x"}});
  EXPECT_TRUE(runner.measure(0, 0, 1, 1, Seconds(0), 0));
  EXPECT_EQ(runner.measure(1, 0, 1, 1, Seconds(0), 0).error(),
            (Failure{FailureKind::kUnsupported, "cannot run w"}));
  EXPECT_THAT(runner.measure(2, 0, 1, 1, Seconds(0), 0).error().text, HasSubstr("\"x\""));
  EXPECT_EQ(log.starts, 1);
  EXPECT_EQ(runner.prepared(0, 0, "m")->at("prepare_ms"), 3);
}

TEST(EngineRunner, SaysWhyAnEngineCannotBeStarted) {
  Log log;
  log.refuses_to_start = true;
  EngineRunner runner({setup(log)}, {{.name = "m"}});
  EXPECT_EQ(runner.recover(0, 0).error(),
            (Failure{FailureKind::kDeviceLost, "no such engine; a b"}));
}

TEST(EngineRunner, DerivesTheTimeLimitFromWhatIsKnown) {
  EXPECT_DOUBLE_EQ(time_limit(10, 0.1, Seconds(1)).count(), 5 + 20 * 2);
  EXPECT_DOUBLE_EQ(time_limit(10, 0, Seconds(0)).count(), 35);
  Log log;
  EngineRunner runner({setup(log)}, {{.name = "m", .expected_s = 0.01}});
  ASSERT_TRUE(runner.measure(0, 0, 2, 5, Seconds(0), 0));
  ASSERT_TRUE(runner.measure(0, 0, 2, 5, Seconds(0), 0));  // it was seen to take 0.5 s
  EXPECT_THAT(log.limits_s, ElementsAre(5 + 20 * 0.1, 5 + 20 * 5.0));
}

TEST(EngineRunner, ServesTheProcedure) {
  Log log;
  log.deadly_unit = 1;
  EngineRunner runner({setup(log)}, {{.name = "m", .unit = 0}, {.name = "m", .unit = 1}});
  class Frozen : public Clock {
    Seconds now() override { return Seconds(0); }
  } clock;
  const SamplingResult result = sample_items({{.id = "a"}, {.id = "b"}}, runner, clock, {});
  EXPECT_DOUBLE_EQ(result.items[0].time.value().median_ms, 500);
  EXPECT_EQ(result.items[0].time->stop_reason, "precision");
  EXPECT_THAT(result.items[1].failure.value().text, HasSubstr("SIGSEGV"));
}

TEST(ParseSamples, RefusesWhatIsNotASample) {
  EXPECT_FALSE(parse_samples(Json::parse("{}")));
  EXPECT_FALSE(parse_samples(Json::parse(R"({"samples": []})")));
  EXPECT_FALSE(parse_samples(Json::parse(R"({"samples": [{"wall_s": 0}]})")));
  EXPECT_FALSE(parse_samples(Json::parse(R"({"samples": [{"wall_s": null}]})")));
  const auto waits = [](const char* text) { return parse_sample(Json::parse(text))->waited_s; };
  EXPECT_EQ(waits(R"({"wall_s": 1, "waited_s": 0.25})"), 0.25);
  EXPECT_FALSE(waits(R"({"wall_s": 1, "waited_s": -0.25})"));
  EXPECT_FALSE(waits(R"({"wall_s": 1, "waited_s": null})"));
  EXPECT_FALSE(parse_samples(Json::parse(R"({"samples": [3]})")));
  EXPECT_TRUE(parse_samples(Json::parse(R"({"samples": [{"wall_s": 1e-3}]})")));
}

TEST(ProcessStarter, StartsARealProcessThatAnswers) {
  EngineCommand command;
  command.argv = {
      "/bin/sh", "-c",
      "while read -r line <&3; do echo '{\"id\": 1, \"result\": {\"engine\": \"sh\"}}' >&4; done"};
  command.log = testing::TempDir() + "runner.log";
  EngineSetup engine;
  engine.start = process_starter(command, 7);
  EngineRunner runner({engine});
  const auto hello = runner.hello(0, 0);
  ASSERT_TRUE(hello) << hello.error().text;
  EXPECT_EQ(hello->at("engine"), "sh");
}

/// True once the process is stopped (proc(5)); false if it is not within 100 s.
bool is_stopped(const std::string& pid) {
  for (int i = 0; i < 100'000; ++i) {
    if (read_file("/proc/" + pid + "/status").value_or("").find("State:\tT") != std::string::npos)
      return true;
    ::usleep(1000);
  }
  return false;
}

TEST(ProcessStarter, StopsAProcessBetweenCalls) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  EngineCommand command;
  command.argv = {"/bin/sh", "-c",
                  R"(id=0; while read -r line <&3; do id=$((id + 1)); )"
                  R"(echo "{\"id\": $id, \"result\": {\"pid\": \"$$\"}}" >&4; done)"};
  command.log = folder->path() / "runner.log";
  const auto link = process_starter(command, 7)(0);
  ASSERT_TRUE(link) << to_text(link.error());
  for (int call = 0; call < 3; ++call) {
    const auto reply = (*link)->call("hello", Json::object(), Seconds{200});
    ASSERT_TRUE(reply) << reply.error().text;
    EXPECT_TRUE(is_stopped(reply->at("pid").get<std::string>()));
  }
}

}  // namespace
}  // namespace opbench
