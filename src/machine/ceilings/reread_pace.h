#pragma once

#include <cstdint>
#include <optional>

namespace opbench {

/// What reread_ns_per_byte reads again.
constexpr int64_t kRereadBytes = int64_t{256} << 10;

/// Nanoseconds that a byte costs less when it is read again from the CPU's own cache than when 16
/// times as much was read in between: kRereadBytes again and again, beside 4 MiB in turns. The
/// fastest of ten series each, as others only ever add time. 0 where it costs no less. Takes about
/// 5 ms. Nothing where no thread can be put on the CPU.
std::optional<double> reread_ns_per_byte(int cpu);

}  // namespace opbench
