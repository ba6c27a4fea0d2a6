#pragma once

#include <chrono>

namespace opbench {

/// A length of time inside the program; reports and records have milliseconds.
using Seconds = std::chrono::duration<double>;

inline constexpr double kMsPerSecond = 1e3;

constexpr double s_to_ms(double s) { return s * kMsPerSecond; }
constexpr double to_ms(Seconds time) { return s_to_ms(time.count()); }
constexpr double ms_to_s(double ms) { return ms * 1e-3; }
constexpr double ns_to_ms(double ns) { return ns * 1e-6; }

}  // namespace opbench
