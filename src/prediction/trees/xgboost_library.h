#pragma once

#include <string>

#include "base/errors/error.h"

namespace opbench {

/// Loads libxgboost on first use (3 ms that other commands need not pay). `kEnvironment` with its
/// name if it is not there or lacks a function. Any thread.
Result<void> load_xgboost();

/// `1.7.4`. Errors as above.
Result<std::string> xgboost_version();

}  // namespace opbench
