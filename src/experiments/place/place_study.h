#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/place_graph.h"
#include "experiments/place/energy_constants.h"
#include "experiments/place/place_floor.h"
#include "experiments/place/place_problem.h"
#include "planning/place/placement_front.h"
#include "planning/place/share_placement.h"

namespace opbench {

/// What the placement is called that gives devices the shares that they were told to have.
constexpr const char* kAtLeast = "at-least";

/// What one way to place a model's units leads to.
struct PlaceCandidate {
  /// `all on cpu0`, own-fastest, greedy, heft, at-least, equilibrium; optimum, or search where
  /// states had to be dropped; frugal: the least energy within the limit.
  std::string method;
  FrontPoint point;
  /// The fastest device alone over this one, with the 95 % interval that the units' times leave.
  double speedup = 1, low = 1, high = 1;
  std::string verdict = {};  ///< on that speed-up: see place_verdict
};

/// What a change of one constant does to the decision "least energy within the limit".
struct EnergyFlip {
  std::string constant;
  double factor = 1;  ///< of the constant: 0.5 or 1.5
  /// Units that go elsewhere in the new decision. 0: the old one stands, others save at most 1 %.
  int moved_units = 0;
  double kept_mj = 0;       ///< the old placement with the changed constant
  double new_mj = 0;        ///< the new decision with it
  bool is_possible = true;  ///< false: a device would draw less when busy than when idle
};

struct PlaceStudy {
  PlaceFloor floor;                 ///< what speed-ups are judged by
  std::vector<DevicePower> powers;  ///< by device
  PlacementProblem problem;
  std::vector<PlaceCandidate> candidates;
  double bound_ms = 0;               ///< that no placement beats
  std::optional<double> optimum_ms;  ///< nothing: see below
  std::string no_optimum_reason;
  EnergyFront front;
  double limit_ms = 0;  ///< that energy is saved within
  bool is_limit_given = false;
  bool is_limit_met = true;
  bool is_frugal_optimal = false;  ///< no placement within the limit needs less energy
  double energy_bound_mj = 0;      ///< that none within the limit needs less than
  std::vector<EnergyFlip> flips;
};

struct PlaceStudyOptions {
  std::optional<double> within_ms;  ///< nothing: the fastest single device's makespan
  uint64_t seed = 0;
  std::vector<DeviceShare> shares = {};  ///< that devices must have; empty: they need have none
  std::vector<int> fixed = {};           ///< ShareLimits::fixed
};

/// Units on devices by all methods, side by side; pure. Errors of powers_of, problem_of,
/// check_problem and limits_of.
Result<PlaceStudy> study_places(const PlaceGraph& graph, const EnergyConstants& constants,
                                const PlaceStudyOptions& options);

}  // namespace opbench
