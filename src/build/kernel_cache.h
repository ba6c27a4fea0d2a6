#pragma once

#include <filesystem>
#include <string>

#include "opbench/schedule/schedule.h"

namespace opbench {

/// A kernel's name and its place in the cache, both made from all that determines its code, so that
/// a changed workload, target, config or schedule is another kernel and nothing is ever stale.
struct KernelKey {
  std::string function;          ///< "k_" and 24 hex digits
  std::filesystem::path object;  ///< may not exist yet
  auto operator<=>(const KernelKey&) const = default;
};

KernelKey key_of(const KernelSpec& spec, const std::filesystem::path& cache);

}  // namespace opbench
