#pragma once

#include <string>

#include "base/errors/error.h"
#include "model/download/cache_entry.h"
#include "model/download/download_options.h"
#include "model/download/url.h"

namespace opbench {

/// Brings the file behind the URL into the entry as a whole and returns its SHA-256. A file that is
/// there is used without asking the server, unless it has another SHA-256 than the one wanted. What
/// arrived of an interrupted download is kept, and the next download goes on behind it if the
/// server can tell that its file is still the same.
///
/// `kInvalidInput`: as `transfer` says; more than `most_bytes`; another SHA-256 than the one
/// wanted. `kEnvironment`: as `transfer` says; the connection breaks or stalls without getting
/// further. `kSystem`: the file cannot be written. `kInterrupted`: `options.cancel`.
Result<std::string> download(const Url& url, const CacheEntry& entry,
                             const DownloadOptions& options);

}  // namespace opbench
