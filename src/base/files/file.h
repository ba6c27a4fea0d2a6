#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/errors/error.h"

namespace opbench {

/// The whole content. `kInvalidInput` naming the path and the system's reason.
Result<std::string> read_file(const std::filesystem::path& path);

/// Writes under a temporary name, syncs and renames, so that a reader sees the old content or the
/// new. `kSystem` if the place cannot be written: what is asked for is tried before any work.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

/// Appends whole lines in one write, synced: after a crash the file holds all or none of them.
/// `kSystem` if the place cannot be written.
Result<void> append_file(const std::filesystem::path& path, std::string_view lines);

/// A folder of its own, removed with everything in it at the end. It is locked as long as this
/// object lives, so that another program can tell when its owner was killed.
class TemporaryFolder {
 public:
  /// In memory (/dev/shm) when that can be written and has room, else in the system's place. Before
  /// it, folders there whose owner is gone are removed.
  static Result<TemporaryFolder> make();
  static Result<TemporaryFolder> make_in(const std::filesystem::path& place);
  /// Removes the folders of `make_in` whose owner is gone; those in use stay.
  static void remove_abandoned(const std::filesystem::path& place);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::filesystem::path path_;
  int lock_ = -1;  ///< a descriptor of the folder
};

/// $XDG_CACHE_HOME/opbench, else ~/.cache/opbench; created on demand by those who write there.
std::filesystem::path cache_folder();

/// Creates the folder if it is not there. `kInvalidInput` with the system's reason unless files can
/// be made in it.
Result<void> make_writable_folder(const std::filesystem::path& folder);

/// The folder of the running executable: where the engine executables lie too.
std::filesystem::path executable_folder();

}  // namespace opbench
