#include "base/system/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "base/tensors/tensor_size.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// The number after `key`, the first word of a line.
std::optional<double> number_after(const fs::path& file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string word;
    double value = 0;
    if (words >> word >> value && word == key) return value;
  }
  return std::nullopt;
}

/// The number that a file holds; nothing for `max`.
std::optional<double> number_in(const fs::path& file) {
  double value = 0;
  return std::ifstream(file) >> value ? std::optional(value) : std::nullopt;
}

/// Names of a hierarchy's files.
struct GroupFiles {
  fs::path mount;
  const char* limit;
  const char* usage;
  const char* reclaimable;  ///< in memory.stat
};

double left_in_group(const fs::path& folder, const GroupFiles& files) {
  const auto limit = number_in(folder / files.limit);
  if (!limit) return kUnlimited;
  const double used = number_in(folder / files.usage).value_or(0);
  const double cached = number_after(folder / "memory.stat", files.reclaimable).value_or(0);
  return std::max(0.0, *limit - std::max(0.0, used - cached));
}

/// The tightest of the process's group and those around it.
double left_in_groups(const fs::path& root) {
  double least = kUnlimited;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    GroupFiles files{root / "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};
    if (controllers.find(",memory,") != std::string::npos) {
      files = {root / "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
               "total_inactive_file"};
    } else if (controllers != ",,") {
      continue;
    }
    for (fs::path below = fs::path(line.substr(second + 1)).relative_path(); !below.empty();
         below = below.parent_path()) {
      least = std::min(least, left_in_group(files.mount / below, files));
    }
    least = std::min(least, left_in_group(files.mount, files));
  }
  return least;
}

double left_of_address_space(const fs::path& root) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  const double pages = number_in(root / "proc/self/statm").value_or(0);
  const double used = pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

}  // namespace

double available_memory(const fs::path& root) {
  const auto free_kib = number_after(root / "proc/meminfo", "MemAvailable:");
  return std::min({free_kib ? *free_kib * 1024 : kUnlimited, left_in_groups(root),
                   left_of_address_space(root)});
}

std::optional<double> peak_resident_bytes(const fs::path& root) {
  const auto kib = number_after(root / "proc/self/status", "VmHWM:");
  return kib ? std::optional(*kib * 1024) : std::nullopt;
}

Result<void> check_room(double bytes, const std::string& what) {
  const double available = available_memory();
  if (bytes <= available) return {};
  return Error{ErrorCode::kEnvironment, "not enough memory for " + what}
      .with("needed", size_text(bytes))
      .with("available", size_text(available));
}

}  // namespace opbench
