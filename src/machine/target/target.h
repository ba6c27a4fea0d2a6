#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// What code is generated for. Every form a user may write is parsed to this one identity.
struct Target {
  std::string kind = "llvm";  ///< llvm, cuda, opencl, …
  std::map<std::string, std::string>
      attributes;                  ///< mcpu, mtriple, device, … ; unknown keys are kept
  std::vector<std::string> mattr;  ///< sorted, "+avx2"
  std::vector<std::string> keys;
  std::vector<std::string> libs;
  bool operator==(const Target&) const = default;
};

/// TVM's command-line form, for display.
std::string display_text(const Target& target);

/// True if code for it is x86 code: its triple says so, or names nothing.
bool is_x86(const Target& target);

/// The vector instructions a kernel may use.
enum class VectorIsa { kScalar, kSse41, kAvx2, kAvx512, kNeon };

/// Widest set that the target names: `llvm` alone is x86-64 as published in 2003 (SSE2).
VectorIsa vector_isa(const Target& target);

/// True if kernels may use AVX-512 VNNI: four products of an unsigned and a signed byte added to an
/// int32 in one instruction. Halide 14 has it only together with VBMI and IFMA, so Cascade Lake
/// does not count; Ice Lake and Zen 4 do.
bool has_dot_products(const Target& target);

/// 32-bit float lanes of one vector register: 4, 8 or 16. The block of channel-blocked layouts.
int float_lanes(const Target& target);

/// The target of this machine, from its CPU's features.
Target host_target();

/// The widest target that an x86 CPU with these flags of /proc/cpuinfo runs.
Target x86_target(const std::set<std::string>& flags);

/// True for code of 64-bit ARM processors under Linux.
bool is_arm64(const Target& target);

/// True if this machine can run code for it; else the missing features, comma-separated, in
/// `missing`.
bool runs_here(const Target& target, std::string& missing);

}  // namespace opbench
