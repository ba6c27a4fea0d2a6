#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "engines/package/unit_placement.h"
#include "experiments/devices/device_choice.h"
#include "experiments/devices/place_graph.h"
#include "experiments/devices/unit_copies.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/sessions/session.h"

namespace opbench {

/// Two devices of this machine that run a model together: a CPU, and one that is none.
struct DevicePair {
  size_t host = 0;    ///< among the devices
  size_t device = 0;  ///< the same
};

/// Why these devices run no model together; empty: they do, and `pair` says which is which.
std::string no_pair_reason(const std::vector<DeviceChoice>& devices, DevicePair& pair);

/// What the engine is told of a placement. `placement` and `order` are of the graph's units: the
/// device of each, and the order in which each device runs its own.
UnitPlacement sides_of(const PlaceGraph& graph, const Target& host, const DevicePair& pair,
                       const std::vector<int>& placement, const std::vector<int>& order);

/// A placement in which neighbours are on different devices, so that a run of it times many copies.
/// `fixed`: by unit the device that must run it, or -1; empty: there are none.
std::vector<int> alternating(const UnitGraph& graph, const DevicePair& pair,
                             const std::vector<int>& fixed);

/// A model that was built for two devices. Nothing has been timed yet.
struct PlacedModel {
  std::unique_ptr<Session> session;  ///< with one engine run
  Program program;
  std::vector<UnitIdentity> facts;  ///< by step

  EngineRun& engine_run() const { return session->engine_runs().front(); }
};

/// Errors of Session.
Result<PlacedModel> prepare_placed(const RunRequest& request,
                                   const std::vector<DeviceChoice>& devices, const DevicePair& pair,
                                   UnitPlacement placement);

/// Checks what it computes. Returns warnings, as check_device does.
Result<std::vector<std::string>> check_placed(PlacedModel& model);

}  // namespace opbench
