#pragma once

#include <chrono>
#include <optional>

namespace opbench {

/// Nanoseconds that a byte of a value costs more when one CPU writes it and another reads it than
/// when the same CPU does both: 256 KiB go to and fro, each thread reads what the other wrote and
/// writes as much into lines that the other has read. The fastest of ten series less the fastest of
/// one thread alone, as others only ever add time. 0 where it costs nothing. Takes about 5 ms.
/// Nothing where a thread cannot be put there, or where others leave the threads so little time
/// that they are not ready within `limit`.
std::optional<double> transfer_ns_per_byte(
    int first, int second, std::chrono::milliseconds limit = std::chrono::milliseconds(50));

}  // namespace opbench
