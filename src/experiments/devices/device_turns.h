#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/busy_neighbour.h"
#include "experiments/unit_times/in_place_rounds.h"
#include "experiments/unit_times/unit_times.h"
#include "measuring/sampling/engine_runner.h"

namespace opbench {

/// A model on several devices that take turns.
struct DeviceTurns {
  InPlaceRuns engine_runs;         ///< of the runner; the last is the first device once more
  std::vector<std::string> names;  ///< of the devices, without the last engine run
  /// By device: works while the device does; null: none.
  std::vector<const BusyNeighbour*> neighbours;
};

/// How a device's model differs from the first one's, visit by visit.
struct DeviceRatio {
  double ratio = 1;          ///< of its time over the first device's
  double low = 1, high = 1;  ///< 95 % interval
};

/// The relative standard error that a device's times have in common beside the first device's.
double common_error_of(const DeviceRatio& ratio);

/// What came of the turns, by engine run.
struct DeviceTurnTimes {
  std::vector<std::vector<TimeWithError>> steps;  ///< times of the package's steps
  std::vector<double> end_to_end_ms;
  std::vector<DeviceRatio> ratios;
  int rounds = 0;           ///< that the ratios are made from
  std::string disturbance;  ///< why differences say nothing; empty: they do
};

/// Fewer rounds give no interval.
constexpr size_t kFewestDeviceRounds = 3;

/// Runs the model on all engine runs in turns, forth and back, so that what slows the machine for a
/// while meets all devices alike. The control, a second engine run of the first device, shows how
/// far equal devices differ. `kPartial` where an engine run fails, `kInterrupted`.
Result<DeviceTurnTimes> time_in_turns(const DeviceTurns& turns, EngineRunner& runner, Clock& clock,
                                      RoundOptions options);

}  // namespace opbench
