#pragma once

#include <map>
#include <string>

#include "machine/target/target.h"

namespace opbench {

/// How many kernels this program compiled and did not run, because this machine lacks instructions
/// of their target, by target.
inline std::map<std::string, int>& kernels_not_run() {
  static std::map<std::string, int> counts;
  return counts;
}

/// True if this machine runs kernels for the target; else so many more are counted that are not
/// run.
inline bool runs_kernels_of(const Target& target, size_t kernels = 1) {
  std::string missing;
  if (runs_here(target, missing)) return true;
  kernels_not_run()[display_text(target)] += static_cast<int>(kernels);
  return false;
}

/// What tests of kernels are compiled for: SSE4.2, AVX2, AVX-512, and AVX-512 with the dot products
/// of VNNI as has_dot_products() wants them. What this machine lacks is not run.
constexpr const char* kInstructionSets[] = {"llvm -mcpu=nehalem", "llvm -mcpu=haswell",
                                            "llvm -mcpu=skylake-avx512",
                                            "llvm -mcpu=icelake-client"};

}  // namespace opbench
