#pragma once

#include <string>

#include "base/errors/error.h"

namespace opbench {

/// A library's functions as the build wrote them (cmake/loaded_library.cmake): each a jump through
/// a table, so that a program calls them like any others and starts without the library.
struct LibraryJumps {
  const char* names = nullptr;  ///< each ended by a zero byte, all by an empty one
  void** targets = nullptr;     ///< where each jump leads: nowhere before `load_library`
};

/// Loads `library`, a path or a name for the system to look up, for as long as the program runs,
/// and leads the jumps to its functions. `kEnvironment` if it cannot be loaded or lacks one of
/// them.
Result<void> load_library(const std::string& library, const LibraryJumps& jumps);

}  // namespace opbench
