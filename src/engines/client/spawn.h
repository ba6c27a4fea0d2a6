#pragma once

#include "base/errors/error.h"
#include "engines/client/engine_launch.h"

namespace opbench {

/// The processes and descriptors of a started engine.
struct SpawnedEngine {
  int pid = -1;       ///< leader of a process group of its own
  int guard = -1;     ///< a process that kills that group when `lifeline` is closed
  int lifeline = -1;  ///< closed by the end of this program, however that comes
  int requests = -1;  ///< write end, non-blocking
  int replies = -1;   ///< read end, non-blocking
};

/// Starts `command` with descriptors 3 (requests) and 4 (replies), its output in the log, the
/// affinity set, no core dumps, every other descriptor closed. `kEnvironment` with the system's
/// reason if a step up to exec is refused.
Result<SpawnedEngine> spawn_engine(const EngineCommand& command);

}  // namespace opbench
