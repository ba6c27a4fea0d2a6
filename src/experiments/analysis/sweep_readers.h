#pragma once

#include <string>
#include <string_view>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "experiments/analysis/swept_times.h"

/// One reader for each kind of file. Errors as read_swept_times() (read_sweep.h).
namespace opbench {

Result<SweptTimes> read_text_sweep(std::string_view text, const std::string& path,
                                   const std::string& time_column);
Result<SweptTimes> read_json_sweep(const Json& json, const std::string& path);
Result<SweptTimes> read_record_sweep(std::string_view text, const std::string& path);

}  // namespace opbench
