#include "model/operators/attention/rotary_pairs.h"

namespace opbench {

void RotaryPairs::turn(const float* cosines, const float* sines, const float* x, float* y) const {
  const int64_t half = rotated / 2;
  for (int64_t i = 0; i < half; ++i) {
    const int64_t first = is_interleaved ? 2 * i : i;
    const int64_t second = is_interleaved ? 2 * i + 1 : i + half;
    const double a = x[first];
    const double b = x[second];
    y[first] = static_cast<float>(a * cosines[i] - b * sines[i]);
    y[second] = static_cast<float>(a * sines[i] + b * cosines[i]);
  }
  for (int64_t i = rotated; i < size; ++i) y[i] = x[i];
}

}  // namespace opbench
