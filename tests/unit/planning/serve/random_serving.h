#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "base/numbers/random.h"
#include "planning/serve/served_model.h"

namespace opbench {

struct ServingDraw {
  int workers = 2;
  int models = 2;
  int segments = 3;
};

/// Models with segments of 1 to 3 ms on one worker; a team of n takes 1 to 1.3 / n of that.
inline ServingSystem random_serving(const ServingDraw& draw, uint64_t seed) {
  Random random(seed, "serving");
  ServingSystem system{.workers = draw.workers, .teams = {}, .models = {}};
  for (int team = 1; team < draw.workers; team *= 2) system.teams.push_back(team);
  system.teams.push_back(draw.workers);
  for (int i = 0; i < draw.models; ++i) {
    ServedModel model{fmt::format("model{}", i), {}};
    for (int j = 0; j < draw.segments; ++j) {
      const double ms = 1 + 2 * random.uniform();
      Segment segment{.first_unit = static_cast<size_t>(j), .units = 1, .times_ms = {}};
      for (const int team : system.teams) {
        segment.times_ms.push_back(team == 1 ? ms : ms / team * (1 + 0.3 * random.uniform()));
      }
      model.segments.push_back(std::move(segment));
    }
    system.models.push_back(std::move(model));
  }
  return system;
}

}  // namespace opbench
