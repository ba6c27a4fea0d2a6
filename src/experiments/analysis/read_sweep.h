#pragma once

#include <string>

#include "base/errors/error.h"
#include "experiments/analysis/swept_times.h"

namespace opbench {

/// Reads a sweep: text in columns or CSV with a line of names, the JSON of `opbench sweep`, or
/// benchmark records. `time_column`: the column of times; empty: the one that its name tells.
/// `kInvalidInput`, with the place, for a file that cannot be read or has no row with a time.
Result<SweptTimes> read_swept_times(const std::string& path, const std::string& time_column);

}  // namespace opbench
