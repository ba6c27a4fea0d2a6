#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/errors/error.h"

namespace opbench {

/// What is known of a file that is downloaded, in part or as a whole.
struct DownloadState {
  std::string url;
  std::string validator;  ///< the server's ETag or time of change, for the header If-Range
  int64_t total = -1;     ///< bytes; -1: the server does not say
  std::string sha256;     ///< of the whole file; empty: it is not whole
  bool operator==(const DownloadState&) const = default;
};

/// The folder in the cache that belongs to one URL. It is locked as long as this object lives, so
/// that two programs do not download the same file at once. The file `content` is whole only if
/// `state.json`, which is written last and at once, says its SHA-256.
class CacheEntry {
 public:
  /// The entry in `cache`/downloads. It waits while another program has it. `kInvalidInput` if the
  /// folder cannot be written, `kInterrupted` if `cancel` becomes true.
  static Result<CacheEntry> open(const std::filesystem::path& cache, const std::string& url,
                                 const std::atomic<bool>* cancel);
  CacheEntry(CacheEntry&& other) noexcept;
  CacheEntry& operator=(CacheEntry&& other) noexcept;
  CacheEntry(const CacheEntry&) = delete;
  CacheEntry& operator=(const CacheEntry&) = delete;
  ~CacheEntry();

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path content() const { return folder_ / "content"; }

  /// Bytes of `content`; 0 if it is not there.
  int64_t size() const;

  /// What `state.json` says; nothing known where it is missing, damaged, or does not fit `content`.
  DownloadState state() const;
  Result<void> set_state(const DownloadState& state) const;

  /// Removes what is there. Programs that read it keep what they have open.
  void clear() const;

 private:
  CacheEntry(std::filesystem::path folder, int lock) : folder_(std::move(folder)), lock_(lock) {}
  std::filesystem::path folder_;
  int lock_ = -1;
};

}  // namespace opbench
