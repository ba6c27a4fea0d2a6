#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace opbench {

/// The files of which a running process executes code: its executable and its libraries, those too
/// that it has loaded itself; without what lies below a folder of `left_out`. Each once, sorted.
/// Nothing where the system does not say.
std::optional<std::vector<std::filesystem::path>> files_of_code(
    int pid, const std::vector<std::filesystem::path>& left_out);

/// SHA-256 of a file. It is kept in `folder` under the file's place, number, size and time of
/// change, so that large libraries are read once. A file that changed within the last two seconds
/// is read every time. Nothing where it cannot be read.
std::optional<std::string> kept_hash(const std::filesystem::path& file,
                                     const std::filesystem::path& folder);

/// A hash of the files' contents, whatever their places and order. Nothing where one of them cannot
/// be read.
std::optional<std::string> hash_of_files(const std::vector<std::filesystem::path>& files,
                                         const std::filesystem::path& folder);

/// The words of a command that name a file: a script that an interpreter runs, a model.
std::vector<std::filesystem::path> files_among(const std::vector<std::string>& words);

}  // namespace opbench
