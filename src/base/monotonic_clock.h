#pragma once

namespace opbench {

/// Seconds since some moment; never goes back. For durations.
double monotonic_s();

}  // namespace opbench
