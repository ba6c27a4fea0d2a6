#include "base/system/process_limits.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace opbench {
namespace {

std::string limit_text(decltype(RLIMIT_NOFILE) resource, rlim_t unit) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return "?";
  return limit.rlim_cur == RLIM_INFINITY ? "unlimited" : fmt::to_string(limit.rlim_cur / unit);
}

}  // namespace

void prepare_limits() {
  ::signal(SIGXFSZ, SIG_IGN);
  constexpr rlim_t kEnough = 4096;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= kEnough) return;
  files.rlim_cur = std::min(kEnough, files.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &files);
}

Error with_limit(Error error) {
  const std::string text = to_text(error);
  const auto speaks_of = [&](const char* words) { return text.find(words) != std::string::npos; };
  constexpr rlim_t kKilobyte = 1024;
  if (speaks_of(std::strerror(EMFILE))) {
    return std::move(error).with(
        "limit", fmt::format("`ulimit -n` is {}; 256 are enough", limit_text(RLIMIT_NOFILE, 1)));
  }
  if (speaks_of(std::strerror(EFBIG))) {
    return std::move(error).with("limit", fmt::format("`ulimit -f` is {} KiB; raise it",
                                                      limit_text(RLIMIT_FSIZE, kKilobyte)));
  }
  if (speaks_of("failed to map segment")) {
    return std::move(error).with(
        "limit", "a folder is mounted noexec; TMPDIR and XDG_CACHE_HOME name others");
  }
  return error;
}

}  // namespace opbench
