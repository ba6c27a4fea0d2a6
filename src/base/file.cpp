#include "opbench/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace opbench {
namespace fs = std::filesystem;
namespace {

Error file_error(std::string_view action, const fs::path& path) {
  return {ErrorCode::kInvalidInput,
          fmt::format("cannot {} \"{}\": {}", action, path.string(), std::strerror(errno))};
}

Result<void> write_all(int fd, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return file_error("write", path);
    content.remove_prefix(static_cast<size_t>(written));
  }
  if (::fsync(fd) != 0 && errno != EINVAL && errno != EROFS) return file_error("sync", path);
  return {};
}

bool has_room(const fs::path& folder) {
  constexpr unsigned long long kWanted = 4ULL << 30;
  struct statvfs info {};
  if (::access(folder.c_str(), W_OK) != 0 || ::statvfs(folder.c_str(), &info) != 0) return false;
  return static_cast<unsigned long long>(info.f_bavail) * info.f_frsize >= kWanted;
}

}  // namespace

Result<std::string> read_file(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return file_error("read", path);
  std::string content;
  std::error_code ignored;
  if (const auto size = fs::file_size(path, ignored); !ignored) content.reserve(size);
  std::string chunk(1 << 20, '\0');
  ssize_t got = 0;
  while ((got = ::read(fd, chunk.data(), chunk.size())) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      Error error = file_error("read", path);
      ::close(fd);
      return error;
    }
    content.append(chunk, 0, static_cast<size_t>(got));
  }
  ::close(fd);
  return content;
}

Result<void> write_file(const fs::path& path, std::string_view content) {
  std::string temporary = path.string() + ".XXXXXX";
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return file_error("write", path);
  ::fchmod(fd, 0644);
  auto result = write_all(fd, content, path);
  ::close(fd);
  if (result && ::rename(temporary.c_str(), path.c_str()) != 0) result = file_error("write", path);
  if (!result) ::unlink(temporary.c_str());
  return result;
}

Result<void> append_file(const fs::path& path, std::string_view lines) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return file_error("write", path);
  auto result = write_all(fd, lines, path);
  ::close(fd);
  return result;
}

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code ignored;
  const fs::path place =
      has_room("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path(ignored);
  std::string name = (place / "opbench-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return file_error("create a folder in", place);
  return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, fs::path())) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return fs::path(cache) / "opbench";
  }
  const char* home = std::getenv("HOME");
  return fs::path(home == nullptr ? "/tmp" : home) / ".cache" / "opbench";
}

fs::path executable_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace opbench
