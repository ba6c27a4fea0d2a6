#pragma once

#include <optional>

namespace opbench {

/// Nanoseconds that a cache line takes from one CPU to another. Two threads, pinned to the two
/// CPUs, write the line in turn, each after it has seen the other's value. The result is half the
/// time in which both have written once, in the fastest of ten series of 200: other work only ever
/// adds time. Takes about 0.3 ms. Nothing where a thread cannot be pinned there, or where other
/// work leaves them no time for 20 ms.
std::optional<double> line_time_ns(int first, int second);

}  // namespace opbench
