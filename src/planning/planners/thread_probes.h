#pragma once

#include <functional>
#include <vector>

namespace opbench {

struct ThreadProbe {
  int threads = 1;
  double time_ms = 0;
  bool operator==(const ThreadProbe&) const = default;
};

/// A number of threads found with few measurements.
struct ThreadChoice {
  int threads = 1;                  ///< the fastest that was probed
  std::vector<ThreadProbe> probes;  ///< in the order in which they were made
};

/// Looks for the fastest of 1 to `most_threads` threads with at most `most_probes` calls of
/// `time_ms` (at least 2): 1, 2, 4, … for as long as times fall or nearly so, then halfway between
/// the fastest and its slower neighbours. A staircase or noise that lets a time rise once does not
/// end the climb; two rises do.
ThreadChoice probe_threads(const std::function<double(int threads)>& time_ms, int most_threads,
                           int most_probes);

}  // namespace opbench
