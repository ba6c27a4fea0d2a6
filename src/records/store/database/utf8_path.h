#pragma once

#include <filesystem>
#include <string>

namespace opbench {

/// A name of the file that SQL can hold, which is UTF-8. A file whose folder has other bytes in its
/// path is named through a descriptor of the folder, which stays open; its own name is UTF-8.
std::string utf8_path(const std::filesystem::path& file);

}  // namespace opbench
