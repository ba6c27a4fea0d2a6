#pragma once

namespace opbench {

/// Seconds since some moment; never goes back. For durations.
double monotonic_s();

/// Seconds of CPU time that the calling thread has had.
double thread_cpu_s();

}  // namespace opbench
