#include "model/download/archive_path.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

constexpr size_t kLongestPath = 1024;
constexpr size_t kLongestPart = 255;

bool is_fit(const std::string& name) {
  return !name.empty() && name.size() <= kLongestPath && name.find('\0') == std::string::npos &&
         fs::path(name).is_relative();
}

/// The parts of `added` behind `begin`. `may_go_up`: `..` takes one part away.
std::optional<fs::path> joined(const fs::path& begin, const fs::path& added, bool may_go_up) {
  fs::path result = begin;
  for (const fs::path& part : added) {
    if (part.empty() || part == ".") continue;
    if (part.string().size() > kLongestPart) return {};
    if (part != "..") {
      result /= part;
    } else if (may_go_up && !result.empty()) {
      result = result.parent_path();
    } else {
      return {};
    }
  }
  return result;
}

}  // namespace

std::optional<fs::path> archive_path(const std::string& name) {
  if (!is_fit(name)) return {};
  return joined({}, name, false);
}

std::optional<fs::path> archive_link(const fs::path& folder, const std::string& target) {
  if (!is_fit(target)) return {};
  return joined(folder, target, true);
}

}  // namespace opbench
