#pragma once

#include <vector>

namespace opbench {

/// A unit beside the neighbour at one level.
struct SensitivityPoint {
  double pressure = 1;  ///< slow-down of the reference probe beside the same neighbour
  double slowdown = 1;  ///< of the unit
  bool operator==(const SensitivityPoint&) const = default;
};

/// How a unit's slow-down grows with the pressure of what runs beside it (Mars et al., Bubble-Up,
/// MICRO 2011). Pressure is counted in slow-downs of one reference probe, so that neighbours of any
/// kind share one scale: 1 presses on nothing.
class SensitivityCurve {
 public:
  /// The isotonic regression of the points (pool adjacent violators) after (1, 1), since no
  /// pressure slows nobody: more pressure never makes a unit faster. Slow-downs below 1 count as 1.
  explicit SensitivityCurve(std::vector<SensitivityPoint> points);

  /// Linear between points; the ends go on as they are.
  double at(double pressure) const;

  const std::vector<SensitivityPoint>& points() const { return points_; }

 private:
  std::vector<SensitivityPoint> points_;  ///< by pressure, both values rising
};

}  // namespace opbench
