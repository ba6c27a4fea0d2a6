#include "machine/facts/cgroup.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

#include "machine/facts/facts.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

/// Where the hierarchy of `controller` is mounted (empty: version 2), and the process's path in it.
struct Hierarchy {
  fs::path mount;
  std::string path;
};

std::optional<fs::path> mount_of(const fs::path& root, const std::string& controller) {
  std::istringstream lines(read_text(root / "proc/self/mountinfo").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const auto before = split(line.substr(0, dash), ' ');
    const auto after = split(line.substr(dash + 3), ' ');
    if (before.size() < 5 || after.empty()) continue;
    const bool version2 = after.front() == "cgroup2" && controller.empty();
    const bool version1 = after.front() == "cgroup" && !controller.empty() &&
                          contains(split(after.back(), ','), controller);
    if (version1 || version2) return root / fs::path(before[4]).relative_path();
  }
  return std::nullopt;
}

std::optional<Hierarchy> hierarchy_of(const fs::path& root, const std::string& controller) {
  const auto mount = mount_of(root, controller);
  if (!mount) return std::nullopt;
  std::istringstream lines(read_text(root / "proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const auto parts = split(line, ':');
    if (parts.size() < 3) continue;
    const bool found =
        controller.empty() ? parts[1].empty() : contains(split(parts[1], ','), controller);
    if (found) return Hierarchy{*mount, parts[2]};
  }
  return Hierarchy{*mount, "/"};
}

/// The group's folder and those around it up to the mount. A path that is seen from outside of a
/// container does not exist inside; then the mount itself is the group.
std::vector<fs::path> folders_of(const Hierarchy& hierarchy) {
  std::vector<fs::path> folders;
  std::error_code error;
  fs::path below = fs::path(hierarchy.path).relative_path();
  while (!below.empty()) {
    if (fs::exists(hierarchy.mount / below, error)) folders.push_back(hierarchy.mount / below);
    below = below.parent_path();
  }
  folders.push_back(hierarchy.mount);
  return folders;
}

/// `max 100000` or `150000 100000`.
std::optional<double> quota_of_cpu_max(const std::string& text) {
  std::istringstream stream(text);
  double quota = 0;
  double period = 0;
  if (!(stream >> quota >> period) || period <= 0) return std::nullopt;
  return quota / period;
}

std::optional<double> quota_of_folder(const fs::path& folder, int version) {
  if (version == 2) return quota_of_cpu_max(read_text(folder / "cpu.max").value_or(""));
  const auto quota = read_text(folder / "cpu.cfs_quota_us");
  const auto period = read_text(folder / "cpu.cfs_period_us");
  if (!quota || !period || quota->starts_with('-')) return std::nullopt;
  return quota_of_cpu_max(*quota + " " + *period);
}

std::optional<std::string> cpuset_of(const fs::path& root) {
  for (const std::string controller : {"cpuset", ""}) {
    const auto hierarchy = hierarchy_of(root, controller);
    if (!hierarchy) continue;
    for (const fs::path& folder : folders_of(*hierarchy)) {
      for (const char* name : {"cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus"}) {
        auto text = read_text(folder / name);
        if (text && !text->empty()) return text;
      }
    }
  }
  return std::nullopt;
}

/// The value of `key="…"` in podman's /run/.containerenv.
std::string quoted_value(const std::string& text, const std::string& key) {
  const std::string start = "\n" + key + "=\"";
  const size_t begin = ("\n" + text).find(start);
  if (begin == std::string::npos) return "";
  const size_t value = begin + start.size() - 1;
  return text.substr(value, text.find('"', value) - value);
}

std::string kind_of_container(const fs::path& root) {
  std::error_code error;
  const std::string groups = read_text(root / "proc/self/cgroup").value_or("");
  const std::string mounts = read_text(root / "proc/self/mountinfo").value_or("");
  const auto mentions = [&](const char* word) {
    return groups.find(word) != std::string::npos || mounts.find(word) != std::string::npos;
  };
  if (fs::exists(root / "run/.containerenv", error)) return "podman";
  if (mentions("/kubepods") || mentions("kubelet/pods")) return "kubernetes";
  if (fs::exists(root / ".dockerenv", error) || mentions("/docker/containers/")) return "docker";
  if (groups.find("/docker/") != std::string::npos) return "docker";
  if (mentions("/libpod")) return "podman";
  if (groups.find("/lxc/") != std::string::npos) return "lxc";
  return "";
}

}  // namespace

CgroupLimits cgroup_limits(const fs::path& root) {
  CgroupLimits limits;
  limits.cpuset = cpuset_of(root);
  const CpuGroups groups = cpu_groups(root);
  limits.version = groups.version;
  for (const fs::path& folder : groups.folders) {
    const auto quota = quota_of_folder(folder, groups.version);
    if (quota) limits.cpu_quota = std::min(limits.cpu_quota.value_or(*quota), *quota);
  }
  return limits;
}

CpuGroups cpu_groups(const fs::path& root) {
  for (const int version : {1, 2}) {
    const auto hierarchy = hierarchy_of(root, version == 1 ? "cpu" : "");
    if (hierarchy) return {.version = version, .folders = folders_of(*hierarchy)};
  }
  return {};
}

Container find_container(const fs::path& root) {
  Container container;
  container.kind = kind_of_container(root);
  const char* given = std::getenv("OPBENCH_CONTAINER_DIGEST");
  const std::string image =
      quoted_value(read_text(root / "run/.containerenv").value_or(""), "imageid");
  if (given != nullptr && *given != '\0') {
    container.digest = given;
  } else if (!image.empty()) {
    container.digest = image;
  } else if (container.kind.empty()) {
    container.digest_reason = "not in a container, as far as can be seen";
  } else {
    container.digest_reason = container.kind +
                              " does not tell a container the digest of its image; set "
                              "OPBENCH_CONTAINER_DIGEST";
  }
  return container;
}

}  // namespace opbench
