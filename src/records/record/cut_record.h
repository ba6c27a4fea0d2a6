#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/errors/error.h"

/// What a program leaves of a record when it is killed while it writes: the last one of the file,
/// without an end.
namespace opbench {

/// Whether `text`, which ends with the file, can be the begin of a record: what is none must not be
/// removed.
bool may_be_cut(std::string_view text, std::string_view record_begin);

/// Removes the file's end from byte `begin` on. `kSystem` when it cannot.
Result<void> remove_end(int file, const std::filesystem::path& path, int64_t begin);

/// Makes the next line that is appended stand alone: removes a last line of JSON that was cut, and
/// ends one that only lacks its line break. Returns whether something was removed. Does nothing to
/// what is no file, as a pipe. `kInvalidInput` when it cannot be opened.
Result<bool> mend_last_line(const std::filesystem::path& path);

}  // namespace opbench
