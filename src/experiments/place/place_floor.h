#pragma once

#include "experiments/devices/place_graph.h"

namespace opbench {

/// What differences of a graph's times are judged by. All 0 without an A/A control.
struct PlaceFloor {
  /// A speed-up within this share of 1 is chance: the largest of the margin, the ends of the
  /// control's interval and `chance_gain`.
  double floor = 0;
  /// What placements gain when the control's second times stand for another device, beside what
  /// they gain between two devices of exactly equal times.
  double chance_gain = 0;
  /// Relative standard error of one unit's time, as the control shows it.
  double unit_error = 0;
};

/// Every edge of the graph knows its bytes.
PlaceFloor place_floor(const PlaceGraph& graph);

}  // namespace opbench
