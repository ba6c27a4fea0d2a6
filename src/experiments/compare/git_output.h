#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace opbench {

/// What git prints when it runs in `folder`, without line ends at its end; nothing when it fails or
/// is not there.
std::optional<std::string> git_output(const std::filesystem::path& folder,
                                      std::vector<std::string> words);

}  // namespace opbench
