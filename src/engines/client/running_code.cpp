#include "engines/client/running_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <set>
#include <sstream>

#include "base/files/file.h"
#include "base/numbers/hash.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHashDigits = 64;
constexpr std::string_view kDeleted = " (deleted)";  // behind a file that was replaced meanwhile

bool lies_below(const fs::path& file, const fs::path& folder) {
  if (folder.empty()) return false;
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

fs::path real_place(const fs::path& path) {
  std::error_code error;
  const fs::path place = fs::canonical(path, error);
  return error ? path : place;
}

/// What tells a file's content from another one without reading it.
std::optional<std::string> stamp_of(const struct stat& facts) {
  constexpr time_t kSettled = 2;  // seconds: clocks of file systems are coarse
  if (facts.st_mtime > std::time(nullptr) - kSettled) return std::nullopt;
  return fmt::format("{} {} {} {}.{}", facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime,
                     facts.st_mtim.tv_nsec);
}

}  // namespace

std::optional<std::vector<fs::path>> files_of_code(int pid, const std::vector<fs::path>& left_out) {
  std::ifstream maps(fmt::format("/proc/{}/maps", pid));
  std::set<fs::path> files;
  std::string line;
  while (std::getline(maps, line)) {
    // 7f12-7f34 r-xp 00000000 08:01 1234   /usr/lib/libm.so.6
    std::istringstream words(line);
    std::string range, rights, offset, device, number, place;
    words >> range >> rights >> offset >> device >> number >> std::ws;
    std::getline(words, place);
    if (rights.find('x') == std::string::npos || !place.starts_with('/')) continue;
    if (place.ends_with(kDeleted)) place.resize(place.size() - kDeleted.size());
    const auto holds = [&](const fs::path& folder) {
      return lies_below(place, real_place(folder));
    };
    std::error_code ignored;
    const bool is_there = fs::is_regular_file(place, ignored);
    if (is_there && std::ranges::none_of(left_out, holds)) files.insert(place);
  }
  if (files.empty()) return std::nullopt;
  return std::vector<fs::path>(files.begin(), files.end());
}

std::optional<std::string> kept_hash(const fs::path& file, const fs::path& folder) {
  struct stat facts = {};
  if (::stat(file.c_str(), &facts) != 0) return std::nullopt;
  const auto stamp = stamp_of(facts);
  const fs::path kept = folder / sha256(real_place(file).string()).substr(0, 24);
  if (stamp) {
    const std::string text = read_file(kept).value_or("");
    const bool is_same = text.size() == kHashDigits + stamp->size() + 2 &&
                         text.compare(kHashDigits + 1, stamp->size(), *stamp) == 0;
    if (is_same) return text.substr(0, kHashDigits);
  }
  const auto hash = sha256_of_file(file);
  if (!hash) return std::nullopt;
  // A cache that cannot be written only costs the time to read the file again.
  if (stamp && make_writable_folder(folder)) {
    static_cast<void>(write_file(kept, fmt::format("{} {}\n", *hash, *stamp)));
  }
  return *hash;
}

std::optional<std::string> hash_of_files(const std::vector<fs::path>& files,
                                         const fs::path& folder) {
  std::set<std::string> hashes;
  for (const fs::path& file : files) {
    const auto hash = kept_hash(file, folder);
    if (!hash) return std::nullopt;
    hashes.insert(*hash);
  }
  return sha256(fmt::format("{}", fmt::join(hashes, "\n")));
}

std::vector<fs::path> files_among(const std::vector<std::string>& words) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const std::string& word : words) {
    if (word.find('/') == std::string::npos && word.find('.') == std::string::npos) continue;
    if (fs::is_regular_file(word, ignored)) files.emplace_back(word);
  }
  return files;
}

}  // namespace opbench
