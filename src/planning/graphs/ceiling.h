#pragma once

#include <vector>

#include "planning/graphs/timed_graph.h"

namespace opbench {

/// What no plan of a graph can beat: every worker always busy with the cheapest work, or the
/// longest path with every unit at its fastest. Weights that a worker may reuse count as reused.
struct Ceiling {
  double sequential_ms = 0;  ///< one unit after the other, each by all workers
  double area_ms = 0;        ///< Σ min over teams of size × time, divided by workers
  double path_ms = 0;        ///< longest path of fastest times
  double bound_ms = 0;       ///< the larger of both
  double pieces_ms = 0;      ///< sum of the bounds of the pieces, at least `bound_ms`

  /// The largest speed-up over sequential that the bound allows.
  double h() const { return bound_ms > 0 ? sequential_ms / bound_ms : 1; }
  double h_by_pieces() const { return pieces_ms > 0 ? sequential_ms / pieces_ms : 1; }
};

/// With `slowdowns`, one a unit (least_slowdowns): a team smaller than `workers` is slowed down by
/// what runs beside it, or leaves the others idle.
Ceiling ceiling_of(const TimedGraph& timed, int workers, const std::vector<double>& slowdowns = {});

}  // namespace opbench
