#pragma once

#include <string>

#include "experiments/place/place_graph.h"

namespace opbench {

/// A smaller difference does not matter.
constexpr double kPlaceMargin = 0.02;

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

PlaceFloor place_floor(const PlaceGraph& graph);

/// Of a speed-up by its 95 % interval: `faster` or `slower` where all of it is beyond the floor,
/// `same` where all of it is within the margin, else `inconclusive`; always that where the times
/// were disturbed. A floor above the margin makes nothing the same.
std::string place_verdict(double low, double high, double floor, bool is_disturbed);

}  // namespace opbench
