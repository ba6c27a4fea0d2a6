#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/system/seconds.h"

namespace opbench {

/// How far a download has come.
struct DownloadProgress {
  int64_t bytes = 0;
  int64_t total = -1;  ///< -1: the server does not say
  std::optional<Seconds> left;
};

/// The largest download, and what may be unpacked of it, unless the user says otherwise.
constexpr int64_t kMostDownloadBytes = int64_t{8} << 30;

struct DownloadOptions {
  std::string sha256;  ///< which the file must have: 64 lower-case hex digits; empty: any
  int64_t most_bytes = kMostDownloadBytes;  ///< of the file, and of all that an archive holds
  Seconds stall{30};                        ///< a server that sends nothing for so long has stalled
  std::function<void(const DownloadProgress&)> progress;  ///< may be empty
  const std::atomic<bool>* cancel = nullptr;  ///< when true: stop; the next download goes on
};

}  // namespace opbench
