#include "records/store/database/utf8_path.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <map>
#include <mutex>

#include "base/text/printable.h"

namespace opbench {
namespace {

/// -1 where the folder cannot be opened: what comes then says so of the path itself.
int descriptor_of(const std::filesystem::path& folder) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, int> opened;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = opened.try_emplace(folder, -1);
  if (is_new || place->second < 0) {
    place->second = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  }
  return place->second;
}

}  // namespace

std::string utf8_path(const std::filesystem::path& file) {
  if (is_utf8(file.string())) return file.string();
  const int folder = descriptor_of(std::filesystem::absolute(file).parent_path());
  if (folder < 0) return printable(file.string());
  return fmt::format("/proc/self/fd/{}/{}", folder, file.filename().string());
}

}  // namespace opbench
