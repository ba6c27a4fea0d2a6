#pragma once

#include <cmath>
#include <string>

#include "base/numbers/random.h"
#include "planning/place/placement_problem.h"

namespace opbench {

struct PlacementDraw {
  size_t devices = 2;
  size_t units = 10;
  double affinity = 8;      ///< a unit's time on a device is its size × a factor of 1 to this
  double density = 0;       ///< of needs among pairs in order
  bool has_energy = false;  ///< the first device is fast and hungry, the others frugal
};

/// Units of log-normal size with a factor for every device.
inline PlacementProblem random_placement(const PlacementDraw& draw, uint64_t seed) {
  Random random(seed, "placement");
  PlacementProblem problem;
  for (size_t i = 0; i < draw.devices; ++i) problem.devices.push_back("d" + std::to_string(i));
  if (draw.has_energy) problem.idle_w = 0.5 + random.uniform();
  for (size_t i = 0; i < draw.units; ++i) {
    GraphUnit unit{.name = "u" + std::to_string(i)};
    std::vector<double> times_ms, energy_mj;
    std::vector<EdgeTransfer> transfers;
    const double size = std::exp(double{random.normal()});
    for (size_t d = 0; d < draw.devices; ++d) {
      const double factor = 1 + (draw.affinity - 1) * random.uniform();
      times_ms.push_back(size * factor);
      const double watts = d == 0 ? 10 + 10 * random.uniform() : 1 + 2 * random.uniform();
      if (draw.has_energy) energy_mj.push_back(watts * times_ms.back());
    }
    for (size_t j = 0; j < i; ++j) {
      if (random.uniform() >= draw.density) continue;
      unit.needs.push_back({static_cast<int>(j)});
      transfers.push_back({0.2 * random.uniform(), 0.2 * random.uniform()});
    }
    problem.add(std::move(unit), std::move(times_ms), std::move(energy_mj), std::move(transfers));
  }
  return problem;
}

}  // namespace opbench
