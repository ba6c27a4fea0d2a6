#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/place/busy_neighbour.h"
#include "experiments/place/device_choice.h"
#include "experiments/place/place_graph.h"
#include "experiments/sessions/profile_request.h"
#include "machine/facts/energy_meter.h"

namespace opbench {

/// A model's units with their times on one device.
struct DeviceUnits {
  std::string model;
  std::string sha256;
  std::string target;                           ///< display form
  std::string source;                           ///< of the times
  std::vector<PlaceUnit> units;                 ///< one time each; none where nothing was measured
  std::vector<std::vector<std::string>> nodes;  ///< by unit
  std::vector<std::string> warnings;
  /// What the meter shows more while the model runs than in a pause; nothing without a meter.
  std::optional<double> added_w;
};

/// The neighbour of a device that wants one, on the first CPU of this process that is not the
/// device's; nothing for others. `kInvalidInput` where there is no such CPU; BusyNeighbour's
/// errors.
Result<std::optional<BusyNeighbour>> neighbour_of(const DeviceChoice& device);

/// The units of the request's model as a package for these CPUs has them. With `is_timed`, the
/// model runs there and each unit has its in-model time. Changes of layout count to the unit that
/// reads them. With a `meter` too, the model then runs on for the watts. Errors are those of
/// Session, run_profile and added_w.
Result<DeviceUnits> units_on_device(const ProfileRequest& request, const DeviceChoice& device,
                                    bool is_timed, const EnergyMeter* meter = nullptr);

/// Units whose numbers `owner` maps to units that take them in: times add up, errors add up as
/// independent ones do, needs are united. An owner maps to itself; those of larger numbers read
/// what they own.
std::vector<PlaceUnit> contracted(const std::vector<PlaceUnit>& units,
                                  const std::vector<size_t>& owner);

/// For each unit itself if it has nodes, else the first unit with nodes that reads its result,
/// directly or through others without nodes; else the one that it reads.
std::vector<size_t> owners_of(const std::vector<PlaceUnit>& units,
                              const std::vector<std::vector<std::string>>& nodes);

}  // namespace opbench
