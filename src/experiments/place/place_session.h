#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/device_choice.h"
#include "experiments/devices/place_graph.h"
#include "experiments/place/energy_constants.h"
#include "experiments/place/place_runs.h"
#include "experiments/place/place_study.h"
#include "experiments/sessions/request/run_request.h"
#include "machine/facts/energy_meter.h"

namespace opbench {

/// What determines placements.
struct PlaceRequest {
  RunRequest run;                     ///< its CPUs and target are those of `devices`
  std::vector<DeviceChoice> devices;  ///< two at least; none: of the report `from`
  std::optional<PlaceGraph> from;     ///< a report's: nothing is measured
  std::string from_name;
  EnergyConstants energy;
  /// Measures the watts of this machine's devices, in place of `energy`'s; nothing: see `energy`.
  std::optional<EnergyMeter> meter;
  PlaceStudyOptions study;
};

struct PlaceResult {
  PlaceGraph graph;
  EnergyConstants energy;
  PlaceStudy study;
  /// Placements that were run: each device alone, then what two devices ran together. Empty where
  /// devices cannot run a model together.
  std::vector<PlacedRow> runs = {};
  std::vector<std::string> warnings;
};

/// What a run prepares: the model for each device of this machine.
std::vector<ProfileRequest> prepared_requests(const PlaceRequest& request);

/// Measures a model's units on every device that is no table, the devices in turns, and places
/// them. Where one device is no CPU, placements are run: see run_placements. Errors are those of
/// prepare_device, time_in_turns and study_places; `kInvalidInput` also for a report of another
/// model, a table without times of a unit, devices on which the model has other units, and a meter
/// when all devices are tables.
Result<PlaceResult> run_place(const PlaceRequest& request);

}  // namespace opbench
