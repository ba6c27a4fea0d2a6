#pragma once

namespace opbench {

/// Moves the calling thread to one CPU; threads that it starts later begin there too.
void pin_calling_thread(int cpu);

/// Returns once this process uses next to no CPU, after 200 ms at the latest: an engine's workers
/// spin on for a while after a call, and would disturb other engines.
void let_workers_sleep();

}  // namespace opbench
