#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/errors/error.h"
#include "base/json/json.h"

/// A file of JSON lines beside a store, to which programs append.
namespace opbench {

/// Appends a line, synced; makes the folder. What a full disk or a lost machine has left of a line
/// before it stays a line of its own.
Result<void> keep_line(const std::filesystem::path& file, const Json& json);

/// Gives every whole line to `take`; a line without its end is left out. Nothing where there is no
/// file. `kInvalidInput` with file and line for one that `take` refuses or that throws
/// Json::exception in it; `what` names a line.
Result<void> read_kept_lines(const std::filesystem::path& file, const std::string& what,
                             const std::function<Result<void>(const Json&)>& take);

}  // namespace opbench
