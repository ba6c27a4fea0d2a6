#include "machine/settings/setting_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "machine/facts/facts.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

Error setting_file_error(const char* action, const fs::path& path, int reason) {
  const bool is_absent = reason == ENOENT || reason == ENOTDIR || reason == ENODEV;
  return {is_absent ? ErrorCode::kNoMatch : ErrorCode::kEnvironment,
          fmt::format("cannot {} \"{}\": {}", action, path.string(), std::strerror(reason))};
}

/// What holds more is no file of settings; /proc/cpuinfo of many CPUs is cut off.
constexpr size_t kMostBytes = 1 << 18;

/// In a made root a group's files are there once they are written.
bool is_in_group(const fs::path& path) {
  return path.parent_path().filename().string().starts_with(kSettingGroup);
}

/// `policy2` before `policy10`.
bool is_before(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

SettingFiles SettingFiles::of_machine() {
  const char* root = std::getenv("OPBENCH_SETTINGS_ROOT");
  return SettingFiles(root == nullptr || *root == '\0' ? fs::path("/") : fs::path(root));
}

std::string SettingFiles::path_of(const fs::path& place) const {
  return place.lexically_relative(root_).string();
}

Result<std::string> SettingFiles::read(const std::string& path) const {
  const fs::path file = place(path);
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return setting_file_error("read", file, errno);
  std::string text;
  char piece[4096];
  ssize_t got = 0;
  while (text.size() < kMostBytes && (got = ::read(fd, piece, sizeof piece)) > 0) {
    text.append(piece, static_cast<size_t>(got));
  }
  const int reason = errno;
  ::close(fd);
  if (got < 0) return setting_file_error("read", file, reason);
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

Result<void> SettingFiles::write(const std::string& path, const std::string& text) {
  const fs::path file = place(path);
  const int creates = !is_kernel() && is_in_group(file) ? O_CREAT : 0;
  const int fd = ::open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | creates, 0644);
  if (fd < 0) return setting_file_error("write", file, errno);
  const std::string line = text + "\n";
  const ssize_t written = ::write(fd, line.data(), line.size());
  const int reason = written < 0 ? errno : EIO;
  ::close(fd);
  if (written != std::ssize(line)) return setting_file_error("write", file, reason);
  return {};
}

Result<void> SettingFiles::make_folder(const std::string& path) {
  constexpr mode_t kMode = 0755;
  if (::mkdir(place(path).c_str(), kMode) == 0) return {};
  return setting_file_error("make", place(path), errno);
}

Result<void> SettingFiles::remove_folder(const std::string& path) {
  const fs::path folder = place(path);
  if (!is_kernel() && folder.filename().string().starts_with(kSettingGroup)) {
    std::error_code error;
    if (fs::remove_all(folder, error) > 0 && !error) return {};
    return setting_file_error("remove", folder, error ? error.value() : ENOENT);
  }
  if (::rmdir(folder.c_str()) == 0) return {};
  return setting_file_error("remove", folder, errno);
}

std::string SettingFiles::why_unwritable(const std::string& path) const {
  const fs::path file = place(path);
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) {
    return fmt::format("\"{}\": {}", file.string(), std::strerror(errno));
  }
  constexpr mode_t kAnyWrites = S_IWUSR | S_IWGRP | S_IWOTH;
  if ((info.st_mode & kAnyWrites) == 0) {
    return fmt::format("the kernel does not let \"{}\" be written", file.string());
  }
  if (::access(file.c_str(), W_OK) == 0) return "";
  if (errno == EROFS) return fmt::format("\"{}\" is mounted read-only", file.string());
  return fmt::format("needs root: \"{}\" is not writable for this user", file.string());
}

std::vector<std::string> SettingFiles::entries(const std::string& folder,
                                               std::string_view start) const {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(place(folder), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(start)) paths.push_back(folder + "/" + name);
  }
  std::ranges::sort(paths, is_before);
  return paths;
}

}  // namespace opbench
