#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// How fast a triad runs on a working set.
struct TriadPoint {
  int64_t bytes = 0;  ///< of the three arrays together
  double gbytes_per_s = 0;
};

/// Times a[i] = b[i] + s c[i] (McCalpin's STREAM, 1995) of one thread on `cpu` over arrays of
/// `bytes` together, rounded to a multiple of 768 of at least 768, again and again: the best of
/// many bursts within `seconds`. Errors are those of best_rate().
Result<TriadPoint> measure_triad(int cpu, int64_t bytes, double seconds);

/// Working sets from `first` to `last` bytes, `per_octave` for each doubling.
std::vector<int64_t> working_sets(int64_t first, int64_t last, int per_octave);

}  // namespace opbench
