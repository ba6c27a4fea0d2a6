#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/busy_neighbour.h"
#include "experiments/devices/device_choice.h"
#include "experiments/devices/place_graph.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/sessions/session.h"
#include "experiments/unit_times/unit_times.h"

namespace opbench {

/// A model's units, and beside them their times on one device.
struct DeviceUnits {
  std::string model;
  std::string sha256;
  std::string target;  ///< display form
  UnitGraph graph;
  std::vector<std::string> workloads;           ///< by unit: canonical text
  std::vector<std::vector<std::string>> nodes;  ///< by unit
  std::vector<TimeWithError> times;             ///< by unit; empty: nothing was measured
  std::vector<bool> has_kernel;                 ///< by unit; false: its references run
};

/// A device of this machine with the model's package for it: nothing has been timed yet.
struct PreparedDevice {
  DeviceChoice choice;
  ProfileRequest request;                       ///< of the session
  std::unique_ptr<Session> session;             ///< with one engine run
  std::optional<BusyNeighbour> neighbour;       ///< paused; nothing: the device wants none
  UnitGraph graph;                              ///< of the package's steps
  std::vector<std::string> workloads;           ///< by step
  std::vector<std::vector<std::string>> nodes;  ///< by step
  std::vector<bool> has_kernel;                 ///< by step

  const EngineRun& engine_run() { return session->engine_runs().front(); }
};

/// The request for our engine on the CPUs of a device of this machine.
ProfileRequest device_request(const RunRequest& request, const DeviceChoice& device);

/// The neighbour of a device that wants one, on the first CPU of this process that is not the
/// device's; nothing for others. `kInvalidInput` where there is no such CPU; BusyNeighbour's
/// errors.
Result<std::optional<BusyNeighbour>> neighbour_of(const DeviceChoice& device);

/// Builds the package of the request's model for the device's CPUs. Errors are those of Session and
/// neighbour_of.
Result<std::unique_ptr<PreparedDevice>> prepare_device(const RunRequest& request,
                                                       const DeviceChoice& device);

/// Checks the package as the request says. Returns warnings: what could not be checked, what did
/// not pass. Errors are those of Session.
Result<std::vector<std::string>> check_device(PreparedDevice& device);

/// The model's units with these times of the package's steps; without times where there are none.
/// Changes of layout count to the unit that reads them.
DeviceUnits units_of(PreparedDevice& device, const std::vector<TimeWithError>& times);

/// Whether all units of `some` are among those of `all`.
bool has_units_of(const DeviceUnits& all, const DeviceUnits& some);

/// The times of `some` for the units of `all`. A unit that `some` has not is made in place there: a
/// nanosecond.
std::vector<TimeWithError> times_among(const DeviceUnits& all, const DeviceUnits& some);

/// The units of the request's model as a package for these CPUs has them, without times. Errors are
/// those of prepare_device.
Result<DeviceUnits> units_on_device(const RunRequest& request, const DeviceChoice& device);

/// Units whose numbers `owner` maps to units that take them in: needs are united, and their bytes
/// add up where all of them are known. An owner maps to itself; those of larger numbers read what
/// they own.
UnitGraph contracted(const UnitGraph& graph, const std::vector<size_t>& owner);

/// The times of the units that contracted() leaves: they add up, errors as independent ones do.
std::vector<TimeWithError> summed_times(const std::vector<TimeWithError>& times,
                                        const std::vector<size_t>& owner);

/// For each unit itself if it has nodes, else the first unit with nodes that reads its result,
/// directly or through others without nodes; else the one that it reads.
std::vector<size_t> owners_of(const UnitGraph& graph,
                              const std::vector<std::vector<std::string>>& nodes);

/// The time of each unit by a table: its own, else by the factor of the others on the first device,
/// if `graph` has times there. `kInvalidInput` naming a unit that has none.
Result<std::vector<double>> times_of_table(const DeviceChoice& device, const PlaceGraph& graph);

}  // namespace opbench
