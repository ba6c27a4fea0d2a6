#pragma once

#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/device_choice.h"
#include "experiments/devices/device_times.h"
#include "experiments/devices/place_graph.h"
#include "experiments/devices/placed_run.h"
#include "planning/place/placement_problem.h"
#include "planning/plans/plan_file.h"
#include "planning/simulator/simulation.h"

namespace opbench {

/// A placement as a plan of two workers, which are devices: its steps are those of the package,
/// copies and changes of layout among them.
struct DevicePlan {
  PlanFile file;
  Timeline timeline;            ///< simulated
  StepCosts costs;              ///< that its copies and changes of layout have there
  std::vector<double> step_ms;  ///< measured, by step
};

/// Who takes part in runs of placements.
struct PlaceRunners {
  std::vector<DeviceChoice> devices;
  DevicePair pair;
  std::vector<PreparedDevice*> alone;        ///< by device
  const PlacedModel* alternating = nullptr;  ///< times copies
  DeviceUnits units;                         ///< of the graph
  std::vector<int> fixed;                    ///< ShareLimits::fixed
};

/// The times that plans of two devices are simulated with.
struct DevicePlanTimes {
  std::vector<std::vector<double>> units_ms;  ///< by unit of the graph, then by device; no copies
  StepCosts costs;
};

/// The plan of a placement by its package. Changes of layout that the host makes alone too count to
/// the unit that reads them. `kInvalidInput` where a check or the simulation refuses it.
Result<DevicePlan> device_plan(const PlaceRunners& runners, const PlaceGraph& graph,
                               const Placement& placement, const PlacedModel& model,
                               const DevicePlanTimes& times);

}  // namespace opbench
