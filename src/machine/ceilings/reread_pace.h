#pragma once

#include <cstdint>
#include <optional>

namespace opbench {

/// What reread_ns_per_byte reads again.
constexpr int64_t kRereadBytes = int64_t{256} << 10;

/// How many nanoseconds less a byte takes from the CPU's own cache than from farther away. Reads
/// kRereadBytes again and again, then 16 times as much in turns. The fastest of ten series counts,
/// as others only ever add time. 0 where both take the same. Takes about 5 ms. Nothing where no
/// thread can be put on the CPU.
std::optional<double> reread_ns_per_byte(int cpu);

}  // namespace opbench
