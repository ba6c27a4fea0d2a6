#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "kernels/schedules/schedule.h"

namespace opbench {

/// A kernel's name and its place in the cache, both made from all that determines its code, so that
/// a changed workload, target, config or schedule is another kernel and nothing is ever stale.
struct KernelKey {
  std::string function;          ///< "k_" and 24 hex digits
  std::filesystem::path object;  ///< may not exist yet
  auto operator<=>(const KernelKey&) const = default;
};

/// What compiling a kernel cost and made.
struct KernelFacts {
  std::optional<double> compile_ms;   ///< nothing for an object from before these were kept
  std::optional<int64_t> code_bytes;  ///< of its object file
  std::string code_hash = {};         ///< of what it executes (object_code.h); empty: not known
  bool operator==(const KernelFacts&) const = default;
};

/// Keeps the time to compile an object beside it, where `facts_of_kernel` finds it.
void keep_compile_time(const std::filesystem::path& object, double compile_ms);

/// Of the kernel with this function name.
KernelFacts facts_of_kernel(const std::filesystem::path& object, const std::string& function);

KernelKey key_of(const KernelSpec& spec, const std::filesystem::path& cache);

}  // namespace opbench
