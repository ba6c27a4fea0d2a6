#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace opbench {

/// A name in an archive as a path below its root, without `.` and `..`; empty for the root itself.
/// Nothing if it is absolute, has a `..`, a part beyond 255 bytes or a zero byte, or is too long.
std::optional<std::filesystem::path> archive_path(const std::string& name);

/// Where a link leads that stands in `folder` (a path below the root): there `..` is allowed as
/// long as it does not leave the root. Nothing if it does.
std::optional<std::filesystem::path> archive_link(const std::filesystem::path& folder,
                                                  const std::string& target);

}  // namespace opbench
