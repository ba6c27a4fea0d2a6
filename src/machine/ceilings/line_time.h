#pragma once

#include <optional>

namespace opbench {

/// Nanoseconds that a cache line takes from one CPU to another: threads pinned to the two write it
/// in turn, each when it has seen what the other wrote; half the time of a turn of both, the
/// fastest of ten series of 200, as others only ever add time. Takes about 0.3 ms. Nothing where a
/// thread cannot be put there, or others leave them no time for 20 ms.
std::optional<double> line_time_ns(int first, int second);

}  // namespace opbench
