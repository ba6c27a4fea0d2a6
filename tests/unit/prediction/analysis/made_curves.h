#pragma once

#include <cmath>
#include <cstdint>

#include "base/numbers/random.h"
#include "prediction/analysis/curve.h"

namespace opbench {

/// time(n) at 1 … count, each times exp(noise × a normal number).
template <class Time>
Curve made_curve(int count, double noise, uint64_t seed, const Time& time) {
  Random random(seed);
  Curve curve;
  for (int n = 1; n <= count; ++n) {
    curve.push_back(
        {static_cast<double>(n), time(static_cast<double>(n)) * std::exp(noise * random.normal())});
  }
  return curve;
}

}  // namespace opbench
