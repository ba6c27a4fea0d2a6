#pragma once

#include <string>

namespace opbench {

/// A smaller difference does not matter.
constexpr double kPlaceMargin = 0.02;

/// The verdict on a speed-up, by its 95 % interval. `faster` or `slower` where the whole interval
/// is beyond the floor, `same` where the whole interval is within the margin, else `inconclusive`.
/// Disturbed times are always `inconclusive`. With a floor above the margin nothing is `same`.
std::string place_verdict(double low, double high, double floor, bool is_disturbed);

}  // namespace opbench
