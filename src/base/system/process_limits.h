#pragma once

#include "base/errors/error.h"

namespace opbench {

/// Takes as many open files as the system lets a program have, and makes a file that grows beyond
/// `ulimit -f` an error of the write that meets it, not the end of the process. Programs that are
/// started later inherit both.
void prepare_limits();

/// The error with the limit that it speaks of and how to raise it: open files, the size of a file,
/// folders that no code is loaded from. Any other error as it is.
Error with_limit(Error error);

}  // namespace opbench
