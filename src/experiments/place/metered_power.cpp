#include "experiments/place/metered_power.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/json/json.h"

namespace opbench {
namespace {

constexpr double kLeastRunSeconds = 1;
constexpr double kRunSeconds = 1.5;  // that are aimed at
constexpr Seconds kPause{1};
constexpr Seconds kWarmUp{0.2};

double watts_between(const EnergyMeter& meter, const MeterReading& before,
                     const MeterReading& after) {
  return joules_between(meter, before, after) / (after.at_s - before.at_s);
}

/// Calls the model so many times on end. The engine makes one call more, before it takes times.
Result<MeteredRun> run_model(const EnergyMeter& meter, EngineRunner& runner, int64_t calls) {
  OPBENCH_TRY(const MeterReading before, read_energy(meter));
  const auto samples = runner.measure(0, 0, calls, 1, Seconds(0), 0);
  OPBENCH_TRY(const MeterReading after, read_energy(meter));
  if (!samples) {
    return Error{ErrorCode::kPartial, "the model did not run while its energy was measured"}.with(
        "reason", to_text(samples.error()));
  }
  return MeteredRun{.joules = joules_between(meter, before, after),
                    .window_s = after.at_s - before.at_s,
                    .run_s = samples->front().wall_s * static_cast<double>(calls + 1)};
}

}  // namespace

Result<EnergyMeter> required_meter(const std::filesystem::path& folder) {
  const Result<EnergyMeter> meter = find_energy_meter(folder);
  if (meter) return meter;
  return Error{ErrorCode::kEnvironment, "energy cannot be measured here"}
      .with("reason", meter.error().message)
      .with("without a meter",
            fmt::format("--energy {}, or --energy FILE with the watts of each device",
                        kBuiltInEnergy));
}

double running_w(const MeteredRun& run, double rest_w) {
  const double rest_s = std::max(0.0, run.window_s - run.run_s);
  return (run.joules - rest_w * rest_s) / (run.window_s - rest_s);
}

std::vector<DevicePower> shared_powers(double idle_w, const std::vector<double>& added_w,
                                       const EnergyMeter& meter) {
  std::vector<DevicePower> powers;
  const double share_w = idle_w / static_cast<double>(added_w.size());
  for (const double added : added_w) {
    powers.push_back({.busy_w = share_w + std::max(0.0, added),
                      .idle_w = share_w,
                      .source = fmt::format("{} ({})", kMeasuredEnergy, name_of(meter))});
  }
  return powers;
}

Result<double> resting_w(const EnergyMeter& meter) {
  OPBENCH_TRY(const MeterReading before, read_energy(meter));
  std::this_thread::sleep_for(kPause);
  OPBENCH_TRY(const MeterReading after, read_energy(meter));
  return watts_between(meter, before, after);
}

Result<double> added_w(const EnergyMeter& meter, const EngineRun& engine_run) {
  EngineSetup setup = engine_run.built.setup;
  setup.cache = "hot";
  EngineRunner runner({setup}, {{.engine = 0, .name = kModelPreparation}});
  static_cast<void>(runner.measure(0, 0, 1, 1, kWarmUp, 1));  // a failure comes again below
  OPBENCH_TRY(const double rest_w, resting_w(meter));
  MeteredRun run;
  for (int64_t calls = 1; run.run_s < kLeastRunSeconds;) {
    OPBENCH_TRY(run, run_model(meter, runner, calls));
    const double call_s = run.run_s / static_cast<double>(calls + 1);
    constexpr double kShortestCall = 1e-7;
    const double wanted = std::ceil(kRunSeconds / std::max(call_s, kShortestCall));
    calls = std::max(calls + 1, static_cast<int64_t>(wanted));
  }
  return running_w(run, rest_w) - rest_w;
}

Result<std::map<std::string, DevicePower>> measured_powers(const std::string& report,
                                                           const std::string& what) {
  const auto invalid = [&](std::string message) {
    return invalid_input(std::move(message)).with("in", what);
  };
  OPBENCH_TRY(const Json json, parse_json(report, what));
  const bool has_energy = json.is_object() && json.contains("energy");
  std::map<std::string, DevicePower> powers;
  try {
    const Json devices = has_energy ? json.at("energy").at("devices") : Json::array();
    for (const Json& device : devices) {
      const DevicePower power{device.at("busy_w"), device.at("idle_w"), device.value("source", "")};
      if (!is_measured(power)) continue;
      const bool is_possible = power.idle_w >= 0 && power.busy_w >= power.idle_w;
      if (!is_possible) return invalid("measured watts are below 0, or busy below idle");
      powers[device.at("name")] = power;
    }
  } catch (const Json::exception& error) {
    return invalid("\"energy\" lacks a member, or one is of another type")
        .with("reason", error.what());
  }
  if (!powers.empty()) return powers;
  return invalid("the report holds no measured watts, and --from measures nothing")
      .with("to measure them",
            fmt::format("opbench place MODEL --devices … --energy {}", kMeasuredEnergy));
}

}  // namespace opbench
