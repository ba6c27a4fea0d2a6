#pragma once

#include <string>

namespace opbench {

/// A smaller difference does not matter.
constexpr double kPlaceMargin = 0.02;

/// Of a speed-up by its 95 % interval: `faster` or `slower` where all of it is beyond the floor,
/// `same` where all of it is within the margin, else `inconclusive`; always that where the times
/// were disturbed. A floor above the margin makes nothing the same.
std::string place_verdict(double low, double high, double floor, bool is_disturbed);

}  // namespace opbench
