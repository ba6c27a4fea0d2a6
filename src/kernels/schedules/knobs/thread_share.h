#pragma once

#include <cstdint>
#include <vector>

// How evenly threads share a parallel loop; for rules that know how many there are.

namespace opbench {

/// How much longer the loop takes than with equal shares, 1 or more: `tasks` are how long each of
/// its iterations takes, in their order. As in ThreadPool every thread begins with an equal number
/// of neighbours and then helps the others.
double busiest_share(const std::vector<int64_t>& tasks, int threads);

/// The tiles of each of about `parts` equal parts; the last one may have fewer.
std::vector<int64_t> tiles_of_parts(int64_t tiles, int64_t parts);

/// Into how many parts, `least` to `most`, to cut so many tiles: the fewest whose shares are nearly
/// as even as any's. Every part is a task for each of `panels`.
int64_t even_parts(int64_t tiles, int64_t panels, int64_t least, int64_t most, int threads);

}  // namespace opbench
