#pragma once

#include <string>
#include <string_view>

#include "base/errors/error.h"
#include "watching/series/history.h"

namespace opbench {

/// A history from a file, "-" is stdin: JSON lines of `opbench-watch-year/1` or CSV with a header,
/// plain or packed with gzip, known by their content. `kInvalidInput` with the line for what is
/// neither, for damaged lines, values that are no times, units that do not go together and points
/// that stand twice.
Result<History> read_history(const std::string& path);

/// The same of text that was read before; `name` stands in errors.
Result<History> history_of_json_lines(std::string_view text, const std::string& name);
Result<History> history_of_csv(std::string_view text, const std::string& name);

}  // namespace opbench
