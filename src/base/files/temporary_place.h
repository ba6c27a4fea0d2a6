#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// What a folder is used for: code in it is loaded, which a file system mounted `noexec` forbids.
enum class PlaceUse { kFiles, kCode };

/// Why the folder cannot be used so; empty where it can. It must be there, take files, and have a
/// name in UTF-8, as names go to engines in JSON.
std::string why_unusable(const std::filesystem::path& folder, PlaceUse use);

/// `kInvalidInput` if no code can be loaded from the folder, with the variable to set.
Result<void> check_code_folder(const std::filesystem::path& folder);

/// Where temporary files go: for files /dev/shm when it has 4 GiB of room; else $TMPDIR (or /tmp),
/// /var/tmp or /dev/shm, whichever can be used first. `kEnvironment` with the reason of each where
/// none can.
Result<std::filesystem::path> temporary_place(PlaceUse use);

/// The first of these places that can be used; the same error.
Result<std::filesystem::path> first_usable(const std::vector<std::filesystem::path>& places,
                                           PlaceUse use);

}  // namespace opbench
