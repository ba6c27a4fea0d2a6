#include "experiments/unit_times/in_place_rounds.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace opbench {
namespace {

class FakeClock : public Clock {
 public:
  Seconds now() override { return time_; }
  void pass(double seconds) { time_ += Seconds(seconds); }

 private:
  Seconds time_{1000};
};

/// An engine as the clock sees it.
struct FakeEngine {
  double model_s = 1e-3;
  double asleep_s = 0;   ///< before every run
  double loading_s = 0;  ///< at every request
  bool fails = false;
  int most_runs = 1000000;  ///< of a request
  std::vector<int> asked;   ///< runs, by request
};

using Fakes = std::vector<FakeEngine>;

class FakeTransport : public Transport {
 public:
  FakeTransport(FakeClock& clock, FakeEngine& engine) : clock_(clock), engine_(engine) {}

  Outcome<Json> call(const std::string& method, const Json& params, Seconds) override {
    if (method != "profile") return Json{{"protocol", 1}};
    if (engine_.fails) {
      return tl::make_unexpected(Failure{FailureKind::kRunError, "cannot"});
    }
    const int count = std::min(engine_.most_runs, params.at("runs").get<int>());
    engine_.asked.push_back(params.at("runs"));
    clock_.pass(engine_.loading_s + count * 2 * (engine_.model_s + engine_.asleep_s));
    const Json sample = {{"wall_s", engine_.model_s}, {"cpu_s", engine_.model_s}};
    Json runs = Json::array();
    for (int i = 0; i < count; ++i) {
      runs.push_back({{"plain", sample}, {"instrumented", sample}, {"units_s", {engine_.model_s}}});
    }
    return Json{{"runs", runs}};
  }
  bool is_alive() const override { return true; }

 private:
  FakeClock& clock_;
  FakeEngine& engine_;
};

struct Rounds {
  explicit Rounds(std::vector<FakeEngine> fakes)
      : engines(std::move(fakes)), engine_runs(engines.size()) {
    std::vector<EngineSetup> setups;
    for (FakeEngine& engine : engines) {
      EngineSetup setup;
      setup.start = [this, &engine](int) -> Result<std::unique_ptr<Transport>> {
        return std::make_unique<FakeTransport>(clock, engine);
      };
      setup.preparations = {{kModelPreparation, "{}"}};
      setups.push_back(std::move(setup));
    }
    runner = std::make_unique<EngineRunner>(std::move(setups));
    for (size_t i = 0; i < engine_runs.size(); ++i) {
      all.engine_runs.push_back(&engine_runs[i]);
      all.engines.push_back(static_cast<int>(i));
    }
  }

  /// Seconds that the rounds take.
  double run(const RoundOptions& options) {
    auto started = warm_up_in_place(all, *runner, clock, options);
    for (FakeEngine& engine : engines) engine.asked.clear();
    const Seconds begin = clock.now();
    results = profile_in_rounds(all, *runner, clock, options, std::move(started));
    return (clock.now() - begin).count();
  }

  FakeClock clock;
  std::vector<FakeEngine> engines;
  std::vector<EngineRun> engine_runs;
  InPlaceRuns all;
  std::unique_ptr<EngineRunner> runner;
  std::vector<RunInPlace> results;
};

TEST(InPlaceRounds, KeepToTheBudgetWhereAnEngineFallsAsleepBeforeEveryRun) {
  Rounds rounds(Fakes{{.model_s = 5e-4, .asleep_s = 0.012}, {.model_s = 5e-4}});
  EXPECT_LT(rounds.run({.budget = Seconds(3.2)}), 2 * 3.2);
  for (const RunInPlace& result : rounds.results) EXPECT_GT(result.times->runs, 50);
}

TEST(InPlaceRounds, MakeFewRequestsOfManyRunsWhereEachLoadsTheModelAgain) {
  Rounds rounds(Fakes{{.model_s = 5e-4, .loading_s = 1.2}});
  EXPECT_LT(rounds.run({.budget = Seconds(3.2)}), 3.5);
  EXPECT_LE(rounds.engines[0].asked.size(), 2U);
  EXPECT_GE(rounds.results[0].times->runs, 20);
}

TEST(InPlaceRounds, RunASlowModelOnceIfThatIsAllTheBudgetPaysFor) {
  Rounds rounds(Fakes{{.model_s = 4}, {.model_s = 0.2}});
  EXPECT_LT(rounds.run({.budget = Seconds(3.2)}), 8.5 + 3.2);
  EXPECT_EQ(rounds.engines[0].asked, std::vector<int>{1});
  EXPECT_NEAR(rounds.results[0].times->end_to_end.median_ms, 4000, 1e-6);
  EXPECT_GE(rounds.results[1].times->runs, 6);
}

TEST(InPlaceRounds, ShareTheBudgetAmongAllProcesses) {
  Rounds rounds(Fakes{{.model_s = 0.01}});
  const double spent = rounds.run({.budget = Seconds(3)});
  EXPECT_GT(spent, 2);
  EXPECT_LT(spent, 3.1);
  EXPECT_EQ(rounds.engines[0].asked.size(), 6U);
  EXPECT_EQ(rounds.results[0].times->end_to_end.processes, 3);
}

TEST(InPlaceRounds, MakeExactlyTheRunsThatAreAskedFor) {
  Rounds rounds(Fakes{{.model_s = 0.01, .most_runs = 3}});
  rounds.run({.budget = Seconds(0.01), .runs = 20});
  EXPECT_EQ(rounds.results[0].times->end_to_end.samples.size(), 20U);
  EXPECT_TRUE(rounds.results[0].times->end_to_end.dropped.empty());
  EXPECT_EQ(rounds.results[0].times->end_to_end.stop_reason, "runs");
}

TEST(InPlaceRounds, WarmEveryProcessUpAsOftenAsAsked) {
  Rounds rounds(Fakes{{.model_s = 0.01}});
  warm_up_in_place(rounds.all, *rounds.runner, rounds.clock, {.warm_up = 7});
  EXPECT_EQ(rounds.engines[0].asked, (std::vector<int>{7, 7, 7}));
}

TEST(InPlaceRounds, TakeTurnsForthAndBack) {
  Rounds rounds(Fakes{{.model_s = 0.01}, {.model_s = 0.01}});
  std::string order;
  RoundOptions options{.budget = Seconds(1)};
  auto started = warm_up_in_place(rounds.all, *rounds.runner, rounds.clock, options);
  options.beside = [&](size_t engine_run, bool is_at_work) {
    order += is_at_work ? std::to_string(engine_run) : ".";
  };
  profile_in_rounds(rounds.all, *rounds.runner, rounds.clock, options, std::move(started));
  EXPECT_EQ(order, "0.1.1.0.0.1.1.0.0.1.1.0.");
}

TEST(InPlaceRounds, PairWhatOneVisitBroughtToEveryRun) {
  Rounds rounds(Fakes{{.model_s = 0.01}, {.model_s = 0.02}});
  rounds.run({.budget = Seconds(1)});
  const std::vector<PairedRound> pairs = paired_visits(rounds.results);
  ASSERT_EQ(pairs.size(), 6U);
  EXPECT_EQ(pairs[4].process, 1);
  EXPECT_EQ(pairs[4].cause, "");
  EXPECT_NEAR(std::exp(log_ratio_of(pairs, 1, 0).value), 2, 1e-9);
  rounds.results[1].visits.erase(2);
  EXPECT_EQ(paired_visits(rounds.results).size(), 5U);
}

TEST(VisitTime, IsOfTheRunsThatNothingDisturbed) {
  const auto run = [](double wall_s, int64_t switches) {
    ProfileRun made;
    made.plain = {.wall_s = wall_s, .cpu_s = wall_s, .involuntary_switches = switches};
    return made;
  };
  EXPECT_EQ(visit_time_of({run(1, 0), run(2, 0), run(9, 3)}, 2, 2), (VisitTime{2, 1.5, ""}));
  EXPECT_EQ(visit_time_of({run(1, 0), run(8, 2), run(9, 3)}, 0, 2), (VisitTime{0, 8, "preempted"}));
}

TEST(InPlaceRounds, LeaveARunThatFailsToItself) {
  Rounds rounds(Fakes{{.fails = true}, {.model_s = 0.01}});
  rounds.run({.budget = Seconds(1)});
  EXPECT_TRUE(rounds.results[0].failure);
  EXPECT_TRUE(rounds.results[1].times);
}

}  // namespace
}  // namespace opbench
