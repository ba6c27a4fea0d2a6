#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "experiments/place/energy_constants.h"
#include "experiments/sessions/engine_run.h"
#include "machine/facts/energy_meter.h"

namespace opbench {

/// What `--energy` calls the watts that this machine's meter shows.
constexpr std::string_view kMeasuredEnergy = "measured";

/// find_energy_meter's meter, or its error with what to do without one.
Result<EnergyMeter> required_meter(const std::filesystem::path& folder = kPowercapFolder);

/// What the meter counted over a time in which a model ran for the most part.
struct MeteredRun {
  double joules = 0;
  double window_s = 0;
  double run_s = 0;  ///< of the window: the model ran
};

/// Watts of the packages while the model ran, when they draw `rest_w` for the rest of the window.
double running_w(const MeteredRun& run, double rest_w);

/// What each device of this machine draws. `idle_w`: of all packages when none works, shared
/// equally. `added_w`: what the packages draw more while this device works, by device; below 0
/// counts as 0.
std::vector<DevicePower> shared_powers(double idle_w, const std::vector<double>& added_w,
                                       const EnergyMeter& meter);

/// Watts of the packages over a second in which this program sleeps. read_energy's errors.
Result<double> resting_w(const EnergyMeter& meter);

/// What the packages draw more while the engine run's model runs, for at least a second, than in a
/// pause just before. `kPartial` when the model does not run; read_energy's errors.
Result<double> added_w(const EnergyMeter& meter, const EngineRun& engine_run);

/// The watts that a report of `opbench place --format json` calls measured, by device. `what` names
/// it. `kInvalidInput` when there are none, or when they cannot be.
Result<std::map<std::string, DevicePower>> measured_powers(const std::string& report,
                                                           const std::string& what);

}  // namespace opbench
