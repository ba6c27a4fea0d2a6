#pragma once

#include <cstdint>
#include <optional>

namespace opbench {

/// What a process holds and has used.
struct ProcessUse {
  double cpu_s = 0;     ///< of its living threads; 0 where the system does not say
  int64_t threads = 0;  ///< that live
  double resident_bytes = 0;
};

/// Of a running process. Nothing where the system does not say.
std::optional<ProcessUse> process_use(int pid);

}  // namespace opbench
