#include "experiments/devices/device_turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <memory>

#include "experiments/devices/place_verdict.h"
#include "test_form.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

class TurnClock : public Clock {
 public:
  Seconds now() override { return time_; }
  void pass(double seconds) { time_ += Seconds(seconds); }

 private:
  Seconds time_{1000};
};

/// How long a run takes that begins then, in seconds; below 0: it fails.
using RunSeconds = std::function<double(double now_s)>;

/// A device whose model has two units.
class SimulatedDevice : public Transport {
 public:
  SimulatedDevice(TurnClock& clock, const RunSeconds& run_s) : clock_(clock), run_s_(run_s) {}

  Outcome<Json> call(const std::string& method, const Json& params, Seconds) override {
    if (method != "profile") return Json{{"protocol", 1}};
    Json runs = Json::array();
    for (int i = 0; i < params.at("runs").get<int>(); ++i) {
      const double run_s = run_s_(clock_.now().count());
      if (run_s < 0) return tl::make_unexpected(Failure{FailureKind::kRunError, "cannot"});
      clock_.pass(2 * run_s);
      const Json sample = {{"wall_s", run_s}, {"cpu_s", run_s}};
      runs.push_back(
          {{"plain", sample}, {"instrumented", sample}, {"units_s", {run_s / 4, run_s / 2}}});
    }
    return Json{{"runs", runs}};
  }
  bool is_alive() const override { return true; }

 private:
  TurnClock& clock_;
  const RunSeconds& run_s_;
};

/// The turns of two devices and the control, which is the first device.
Result<DeviceTurnTimes> simulated_turns(const RunSeconds& first, const RunSeconds& second,
                                        RoundOptions options) {
  TurnClock clock;
  const std::vector<RunSeconds> devices = {first, second, first};
  std::vector<EngineRun> engine_runs(devices.size());
  std::vector<EngineSetup> setups;
  DeviceTurns turns{.engine_runs = {}, .names = {"cpu0", "cpu1"}, .neighbours = {nullptr, nullptr}};
  for (size_t i = 0; i < devices.size(); ++i) {
    EngineSetup& setup = setups.emplace_back();
    setup.start = [&, i](int) -> Result<std::unique_ptr<Transport>> {
      return std::make_unique<SimulatedDevice>(clock, devices[i]);
    };
    setup.preparations = {{kModelPreparation, "{}"}};
    turns.engine_runs.engine_runs.push_back(&engine_runs[i]);
    turns.engine_runs.engines.push_back(static_cast<int>(i));
  }
  EngineRunner runner(std::move(setups));
  options.rounds = 4;
  return time_in_turns(turns, runner, clock, options);
}

/// On the second device's speed-up over the first.
std::string verdict_on_second(const DeviceTurnTimes& times) {
  const DeviceRatio& control = times.ratios[2];
  const double floor = std::max({0.02, control.high - 1, 1 / control.low - 1});
  const DeviceRatio& second = times.ratios[1];
  return place_verdict(1 / second.high, 1 / second.low, floor, !times.disturbance.empty());
}

// One device after the other gave 58.8 and 31.8 ms for the same CPU type, without a word of noise.
TEST(DeviceTurns, CallEqualDevicesEqualBesideANeighbourThatComesAndGoes) {
  const int step = by_form(3, 1);
  for (int phase = 0; phase < 10; phase += step) {
    for (const double period_s : {0.7, 2.6, 9.0}) {
      const RunSeconds run_s = [&](double now_s) {
        const bool is_busy = std::fmod(now_s + phase * period_s / 10, period_s) < 0.45 * period_s;
        return is_busy ? 0.019 : 0.01;
      };
      const auto times = simulated_turns(run_s, run_s, {.budget = Seconds(3)});
      ASSERT_TRUE(times) << to_text(times.error());
      EXPECT_THAT(verdict_on_second(*times), testing::AnyOf("same", "inconclusive"))
          << phase << " " << period_s;
    }
  }
}

TEST(DeviceTurns, FindADeviceThatIsSlower) {
  const auto times = simulated_turns([](double) { return 0.01; }, [](double) { return 0.015; },
                                     {.budget = Seconds(3)});
  ASSERT_TRUE(times) << to_text(times.error());
  EXPECT_NEAR(times->ratios[1].ratio, 1.5, 1e-6);
  EXPECT_EQ(verdict_on_second(*times), "slower");
  EXPECT_EQ(times->rounds, 12);
  EXPECT_EQ(times->disturbance, "");
  ASSERT_EQ(times->steps[1].size(), 2U);
  EXPECT_NEAR(times->steps[1][1].ms, 7.5, 1e-6);
  EXPECT_NEAR(times->end_to_end_ms[0], 10, 1e-6);
}

TEST(DeviceTurns, SayThatABudgetIsTooShort) {
  const auto slow = [](double) { return 2.0; };
  const auto times = simulated_turns(slow, slow, {.budget = Seconds(3)});
  ASSERT_TRUE(times) << to_text(times.error());
  EXPECT_THAT(times->disturbance, HasSubstr("turn"));
  EXPECT_EQ(verdict_on_second(*times), "inconclusive");
}

TEST(DeviceTurns, NameTheDeviceThatFails) {
  const auto times = simulated_turns([](double) { return 0.01; }, [](double) { return -1.0; },
                                     {.budget = Seconds(1)});
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().code, ErrorCode::kPartial);
  EXPECT_THAT(times.error().message, HasSubstr("not timed on cpu1"));
}

TEST(DeviceTurns, EndWhenTheyAreInterrupted) {
  const std::atomic<bool> cancel = true;
  const auto run_s = [](double) { return 0.01; };
  const auto times = simulated_turns(run_s, run_s, {.budget = Seconds(1), .cancel = &cancel});
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().code, ErrorCode::kInterrupted);
}

TEST(DeviceTurns, GiveADevicesTimesTheErrorOfItsRatio) {
  EXPECT_EQ(common_error_of({}), 0);
  EXPECT_NEAR(common_error_of({.ratio = 1, .low = std::exp(-0.196), .high = std::exp(0.196)}), 0.1,
              1e-9);
}

}  // namespace
}  // namespace opbench
