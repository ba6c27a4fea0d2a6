#include "model/download/cache_entry.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/json/json_text.h"
#include "base/numbers/hash.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

Error unusable(const fs::path& path) {
  return {ErrorCode::kSystem,
          fmt::format("cannot lock \"{}\": {}", path.string(), std::strerror(errno))};
}

/// A descriptor with the lock, or -1 with errno.
int try_lock(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return -1;
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  const int reason = errno;
  ::close(fd);
  errno = reason;
  return -1;
}

template <class T>
T member_or(const Json& json, const char* key, T otherwise) {
  const auto found = json.find(key);
  if (found == json.end()) return otherwise;
  if constexpr (std::is_same_v<T, std::string>) {
    return found->is_string() ? found->template get<T>() : otherwise;
  } else {
    return found->is_number_integer() ? found->template get<T>() : otherwise;
  }
}

}  // namespace

Result<CacheEntry> CacheEntry::open(const fs::path& cache, const std::string& url,
                                    const std::atomic<bool>* cancel) {
  constexpr size_t kNameDigits = 24;
  constexpr std::chrono::milliseconds kPause(50);
  const fs::path folder = cache / "downloads" / sha256(url).substr(0, kNameDigits);
  OPBENCH_CHECK(make_writable_folder(folder));
  const fs::path path = folder / "lock";
  int lock = -1;
  while ((lock = try_lock(path)) < 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return unusable(path);
    if (cancel != nullptr && *cancel) {
      return Error{ErrorCode::kInterrupted, "interrupted while another program downloads the file"};
    }
    std::this_thread::sleep_for(kPause);
  }
  return CacheEntry(folder, lock);
}

CacheEntry::CacheEntry(CacheEntry&& other) noexcept
    : folder_(std::move(other.folder_)), lock_(std::exchange(other.lock_, -1)) {}

CacheEntry& CacheEntry::operator=(CacheEntry&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(lock_, other.lock_);
  return *this;
}

CacheEntry::~CacheEntry() {
  if (lock_ >= 0) ::close(lock_);
}

int64_t CacheEntry::size() const {
  std::error_code error;
  const auto size = fs::file_size(content(), error);
  return error ? 0 : static_cast<int64_t>(size);
}

DownloadState CacheEntry::state() const {
  std::error_code ignored;
  const fs::path path = folder_ / "state.json";
  if (!fs::exists(path, ignored)) return {};
  const Result<std::string> text = read_file(path);
  if (!text) return {};
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object()) return {};
  DownloadState state{.url = member_or<std::string>(json, "url", ""),
                      .validator = member_or<std::string>(json, "validator", ""),
                      .total = member_or<int64_t>(json, "total", -1),
                      .sha256 = member_or<std::string>(json, "sha256", "")};
  const bool is_odd = state.total >= 0 && size() > state.total;
  const bool is_short = !state.sha256.empty() && size() != state.total;
  return is_odd || is_short ? DownloadState{} : state;
}

Result<void> CacheEntry::set_state(const DownloadState& state) const {
  const Json json = {{"url", state.url},
                     {"validator", state.validator},
                     {"total", state.total},
                     {"sha256", state.sha256}};
  return write_file(folder_ / "state.json", json_text(json, 2) + "\n");
}

void CacheEntry::clear() const {
  std::error_code ignored;
  // The state goes first: without it nothing is taken for whole.
  fs::remove(folder_ / "state.json", ignored);
  for (const auto& item : fs::directory_iterator(folder_, ignored)) {
    if (item.path().filename() != "lock") fs::remove_all(item.path(), ignored);
  }
}

}  // namespace opbench
