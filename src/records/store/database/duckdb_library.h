#pragma once

#include "base/errors/error.h"

namespace opbench {

/// Loads libduckdb.so from beside the program on first use (10 ms that other commands need not
/// pay). `kEnvironment` with the path if it is not there or lacks a function. Any thread.
Result<void> load_duckdb();

}  // namespace opbench
