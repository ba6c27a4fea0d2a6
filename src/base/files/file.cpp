#include "base/files/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/files/outside_wait.h"
#include "base/files/temporary_place.h"
#include "base/system/memory.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

Error file_error(std::string_view action, const fs::path& path, ErrorCode code) {
  return {code, fmt::format("cannot {} \"{}\": {}", action, path.string(), std::strerror(errno))};
}

Error unreadable(const fs::path& path) {
  return file_error("read", path, ErrorCode::kInvalidInput);
}

Error unwritable(const fs::path& path) { return file_error("write", path, ErrorCode::kSystem); }

Result<void> write_all(int fd, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return unwritable(path);
    content.remove_prefix(static_cast<size_t>(written));
  }
  if (::fsync(fd) != 0 && errno != EINVAL && errno != EROFS)
    return file_error("sync", path, ErrorCode::kSystem);
  return {};
}

/// Devices such as /dev/zero have no end; what has one may still be larger than memory.
Result<void> check_readable(const struct stat& info, int fd, const fs::path& path) {
  constexpr off_t kAlwaysThere = 1 << 26;
  if (S_ISREG(info.st_mode) && info.st_size > kAlwaysThere) {
    return check_room(static_cast<double>(info.st_size), fmt::format("\"{}\"", path.string()));
  }
  const bool is_null = S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 3);
  const bool is_device = S_ISBLK(info.st_mode) || (S_ISCHR(info.st_mode) && !is_null);
  if (!is_device || ::isatty(fd) != 0) return {};
  return Error{ErrorCode::kInvalidInput,
               fmt::format("cannot read \"{}\": a device is no file", path.string())};
}

Result<std::string> read_all(int fd, const fs::path& path) {
  constexpr size_t kAlwaysThere = 1 << 26;
  struct stat info {};
  if (::fstat(fd, &info) == 0) OPBENCH_CHECK(check_readable(info, fd, path));
  std::string content;
  if (S_ISREG(info.st_mode)) content.reserve(static_cast<size_t>(info.st_size));
  std::string chunk(1 << 20, '\0');
  ssize_t got = 0;
  while ((got = ::read(fd, chunk.data(), chunk.size())) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path);
    const size_t size = content.size() + static_cast<size_t>(got);
    if (size > kAlwaysThere && size > content.capacity()) {  // a pipe may have no end
      OPBENCH_CHECK(check_room(2.0 * static_cast<double>(size), '"' + path.string() + '"'));
    }
    content.append(chunk, 0, static_cast<size_t>(got));
  }
  return content;
}

constexpr std::string_view kFolderPrefix = "opbench-run-";

/// A descriptor of the folder with the wanted lock, or -1 with errno. The lock ends with the
/// descriptor, hence with the process that has it.
int open_locked(const fs::path& folder, int lock) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  if (::flock(fd, lock | LOCK_NB) == 0) return fd;
  const int reason = errno;
  ::close(fd);
  errno = reason;
  return -1;
}

bool is_same_folder(int fd, const fs::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

Result<std::string> read_file(const fs::path& path) {
  const OutsideWait wait(path);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return unreadable(path);
  auto content = read_all(fd, path);
  ::close(fd);
  return content;
}

Result<void> write_file(const fs::path& path, std::string_view content) {
  std::string temporary = path.string() + ".XXXXXX";
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return unwritable(path);
  ::fchmod(fd, 0644);
  auto result = write_all(fd, content, path);
  ::close(fd);
  if (result && ::rename(temporary.c_str(), path.c_str()) != 0) result = unwritable(path);
  if (!result) ::unlink(temporary.c_str());
  return result;
}

Result<void> append_file(const fs::path& path, std::string_view lines) {
  const OutsideWait wait(path);
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return unwritable(path);
  auto result = write_all(fd, lines, path);
  ::close(fd);
  return result;
}

Result<TemporaryFolder> TemporaryFolder::make() {
  OPBENCH_TRY(const fs::path place, temporary_place(PlaceUse::kFiles));
  remove_abandoned(place);
  return make_in(place);
}

Result<TemporaryFolder> TemporaryFolder::make_in(const fs::path& place) {
  // Between the folder's creation and its lock another program may take it for abandoned.
  constexpr int kAttempts = 10;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string name = (place / fmt::format("{}{}-XXXXXX", kFolderPrefix, ::getpid())).string();
    if (::mkdtemp(name.data()) == nullptr) break;
    const int lock = open_locked(name, LOCK_SH);
    if (lock >= 0 && is_same_folder(lock, name)) return TemporaryFolder(name, lock);
    if (lock >= 0) ::close(lock);
    if (lock < 0 && errno != EWOULDBLOCK && errno != ENOENT) return TemporaryFolder(name, -1);
  }
  return file_error("create a folder in", place, ErrorCode::kSystem);
}

void TemporaryFolder::remove_abandoned(const fs::path& place) {
  std::error_code error;
  for (fs::directory_iterator entry(place, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(kFolderPrefix)) continue;
    const int lock = open_locked(entry->path(), LOCK_EX);
    if (lock < 0) continue;  // in use, or not ours
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
    ::close(lock);
  }
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, fs::path())), lock_(std::exchange(other.lock_, -1)) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return fs::path(cache) / "opbench";
  }
  const char* home = std::getenv("HOME");
  return fs::path(home == nullptr ? "/tmp" : home) / ".cache" / "opbench";
}

Result<void> make_writable_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK | X_OK) != 0) {
    error = std::error_code(errno, std::generic_category());
  }
  if (!error) return {};
  Error refusal{ErrorCode::kInvalidInput, fmt::format("the folder \"{}\" cannot be written: {}",
                                                      folder.string(), error.message())};
  const bool is_cache = folder.string().starts_with(cache_folder().string());
  if (!is_cache) return refusal;
  return std::move(refusal).with("set", "XDG_CACHE_HOME to a folder that can be written");
}

fs::path executable_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) return program.parent_path();
  // Without /proc the system still says by what name it was started.
  static const fs::path kStarted = [] {
    const auto* const name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    std::error_code unknown;
    return name == nullptr ? fs::path() : fs::canonical(name, unknown);
  }();
  return kStarted.parent_path();
}

}  // namespace opbench
