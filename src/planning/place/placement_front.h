#pragma once

#include <optional>
#include <vector>

#include "planning/place/placement_problem.h"

namespace opbench {

/// A placement with what it costs.
struct FrontPoint {
  double makespan_ms = 0;
  double energy_mj = 0;
  Placement placement;
  bool operator==(const FrontPoint&) const = default;
};

/// A Pareto archive: no point of it takes as long as another one and as much energy, or more.
class PlacementFront {
 public:
  /// False where a point of the archive is at least as good in both; else the points that the new
  /// one beats in both leave.
  bool add(FrontPoint point);

  /// By makespan, shortest first; energies fall.
  const std::vector<FrontPoint>& points() const { return points_; }

  /// The point of least energy whose makespan is at most `limit_ms` (and a billionth of it, for
  /// rounding). Nothing if all are longer.
  std::optional<FrontPoint> least_energy_within(double limit_ms) const;

  /// The area that the points beat below a reference point (Zitzler and Thiele 1998), in ms × mJ.
  /// Points beyond the reference add nothing.
  double hypervolume(double reference_ms, double reference_mj) const;

 private:
  std::vector<FrontPoint> points_;
};

/// The placement with its costs, as cost_of finds them.
FrontPoint front_point(const PlacementProblem& problem, Placement placement);

/// A makespan that no placement beats: for each piece of the graph the longest path of fastest
/// times, or all fastest times over the number of devices, whichever is more. The sequence of units
/// is cut into pieces wherever every later unit needs every earlier one.
double placement_bound_ms(const PlacementProblem& problem);

struct FrontOptions {
  size_t most_states = 3000;  ///< of the search over states
  double tolerance = 0.002;   ///< of that search
  int limits = 8;             ///< makespans for which a beam search looks for the least energy
};

struct EnergyFront {
  PlacementFront front;
  bool is_optimal = false;  ///< every point is within `tolerance` of the best there is
  double tolerance = 0;     ///< share of makespan and of energy
};

/// Short and frugal placements: `more` (any placements) and a search over states. Where it had to
/// drop states, also equilibria of energy with a price on time, and beam searches within several
/// makespans.
EnergyFront find_energy_front(const PlacementProblem& problem, const std::vector<Placement>& more,
                              const FrontOptions& options = {});

struct LeastEnergy {
  std::optional<FrontPoint> point;  ///< nothing: no placement that was found is so short
  bool is_optimal = false;          ///< none within the limit needs less
  double bound_mj = 0;              ///< that none within the limit needs less than
};

/// The least energy within a makespan: of `front`'s points and of a search over states without
/// tolerance, which is exact where it drops none.
LeastEnergy find_least_energy(const PlacementProblem& problem, double limit_ms,
                              const PlacementFront& front, size_t most_states);

}  // namespace opbench
