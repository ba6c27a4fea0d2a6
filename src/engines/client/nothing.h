#pragma once

namespace opbench {

/// A descriptor that reads as empty and takes what is written: of /dev/null, or where that is not
/// there of memory that nobody reads. Close-on-exec; -1 with errno. Async-signal-safe.
int open_nothing();

}  // namespace opbench
