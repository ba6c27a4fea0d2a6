#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace opbench {

/// What the control groups of this process allow, versions 1 and 2; the tightest of the group and
/// those around it. `root` is where /proc and /sys are looked for.
struct CgroupLimits {
  int version = 0;                  ///< 1 or 2 (the one with the cpu controller); 0: none found
  std::optional<double> cpu_quota;  ///< in CPUs: 1.5 = 150 ms of CPU time in 100 ms; none: no limit
  std::optional<std::string> cpuset;  ///< CPU list as the kernel writes it
};

CgroupLimits cgroup_limits(const std::filesystem::path& root = "/");

/// The control groups that the CPU time of this process counts in.
struct CpuGroups {
  int version = 0;                             ///< as in CgroupLimits
  std::vector<std::filesystem::path> folders;  ///< its own first, then those around it; with `root`
};

CpuGroups cpu_groups(const std::filesystem::path& root = "/");

/// The image that this process runs in. Its digest, never the container's own id: that is its
/// host name.
struct Container {
  std::string kind;  ///< docker, podman, kubernetes, lxc; empty: no sign of one
  std::optional<std::string> digest;
  std::string digest_reason;  ///< why there is no digest
};

/// From $OPBENCH_CONTAINER_DIGEST, /run/.containerenv, /.dockerenv, /proc/self/cgroup and
/// /proc/self/mountinfo.
Container find_container(const std::filesystem::path& root = "/");

}  // namespace opbench
