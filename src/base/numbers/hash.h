#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/errors/error.h"

namespace opbench {

/// SHA-256 of `bytes`, as 64 lower-case hex digits.
std::string sha256(std::string_view bytes);

/// The same of a file, in little memory. `kInvalidInput` with the system's reason if it cannot be
/// read.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace opbench
