#include "model/download/download_libraries.h"

#include <curl/curl.h>

#include "base/system/loaded_library.h"

namespace opbench {

LibraryJumps curl_jumps();
LibraryJumps archive_jumps();

namespace {

Result<void> load() {
  OPBENCH_CHECK(load_library("libcurl.so.4", curl_jumps()));
  OPBENCH_CHECK(load_library("libarchive.so.13", archive_jumps()));
  if (curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) return {};
  return Error{ErrorCode::kEnvironment, "libcurl cannot be used here"};
}

}  // namespace

Result<void> load_download_libraries() {
  static const Result<void> kLoaded = load();
  return kLoaded;
}

}  // namespace opbench
