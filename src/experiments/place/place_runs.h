#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/place_graph.h"
#include "experiments/devices/unit_copies.h"
#include "experiments/place/device_plan.h"
#include "experiments/place/place_study.h"
#include "experiments/sessions/request/run_request.h"
#include "measuring/results/check_result.h"

namespace opbench {

/// A placement that was run.
struct PlacedRow {
  std::string method;  ///< PlaceCandidate::method
  Placement placement;
  double predicted_ms = 0;  ///< one device alone: its units' times; two: the plan, simulated
  double measured_ms = 0;   ///< median of whole runs
  std::vector<CopyTime> transfers;
  CheckResult check;
  std::optional<DevicePlan> plan = {};  ///< nothing: one device ran all units
};

/// The candidates that two devices run together: `at-least`, and the shortest of all where it uses
/// both. Units that `fixed` names run where it says. Each takes turns with the devices alone and
/// with the alternating model, whose times its plan is simulated with: what slows the machine for a
/// while meets all. Errors of prepare_placed, check_placed and time_in_turns.
Result<std::vector<PlacedRow>> run_placements(const RunRequest& request,
                                              const PlaceRunners& runners, const PlaceGraph& graph,
                                              const PlaceStudy& study,
                                              std::vector<std::string>& warnings);

}  // namespace opbench
