#pragma once

#include <cstdint>
#include <optional>

namespace opbench {

/// What a process holds and has waited for.
struct ProcessUse {
  double cpu_s = 0;     ///< that its threads have run
  double waited_s = 0;  ///< its threads, ready to run, for a CPU
  int64_t threads = 0;  ///< that live
  double resident_bytes = 0;
};

/// Of a running process. Nothing where the system does not say.
std::optional<ProcessUse> process_use(int pid);

}  // namespace opbench
