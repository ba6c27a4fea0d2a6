#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "base/errors/error.h"

namespace opbench {

struct UnpackLimits {
  int64_t most_bytes = 0;                 ///< of all files together
  int64_t most_files = 10000;             ///< folders and links count too
  double most_growth = 200;               ///< times the archive's own bytes, above `free_bytes`
  int64_t free_bytes = int64_t{1} << 30;  ///< so much any archive may hold
};

/// Whether a file begins like one that `unpack` reads.
bool is_archive(const std::filesystem::path& file);

/// Unpacks a tar file (plain, or packed with gzip, bzip2, xz or Zstandard) or a zip file into the
/// empty folder. Links to files that came before become those files again.
///
/// `kInvalidInput` naming the file in the archive, for whatever would leave the folder: absolute
/// paths, `..`, links to elsewhere; for devices, pipes and sockets; for names that stand twice; for
/// more than the limits, before it is written; for a damaged archive. `kSystem`: the folder cannot
/// be written. `kInterrupted`: `cancel`. What is in the folder then is not whole.
Result<void> unpack(const std::filesystem::path& archive, const std::filesystem::path& folder,
                    const UnpackLimits& limits, const std::atomic<bool>* cancel = nullptr);

}  // namespace opbench
