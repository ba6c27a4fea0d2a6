#pragma once

#include "base/errors/error.h"

namespace opbench {

/// Loads libcurl and libarchive, once. `kEnvironment` with the system's reason.
Result<void> load_download_libraries();

}  // namespace opbench
