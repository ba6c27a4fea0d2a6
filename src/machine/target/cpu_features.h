#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace opbench {

/// The instruction-set words of this machine's first CPU, as the kernel spells them
/// (`sse4_1`, `avx512f`, `asimd`), as far as CPUID confirms them; whatever $OPBENCH_CPU names.
/// Empty when /proc/cpuinfo cannot be read.
std::set<std::string> uncapped_cpu_flags();

/// The same from the text of a /proc/cpuinfo.
std::set<std::string> cpu_flags_of(std::string_view cpuinfo);

/// The x86 processors that LLVM 14 names, and newer ones that users write.
std::vector<std::string> x86_processors();

/// The vector features that code for this processor may use, as LLVM spells them (`sse4.1`,
/// `avx512f`). Those of x86-64 (SSE2) are not listed; empty for an unknown processor.
std::vector<std::string> features_of_processor(std::string_view mcpu);

/// The kernel's word for a feature of LLVM (`sse3` → `pni`); empty for one that is no instruction
/// set (tuning switches) or that is unknown.
std::string kernel_word(std::string_view feature);

/// True if it is the kernel's word for a feature of LLVM that is known here.
bool is_kernel_word(std::string_view word);

}  // namespace opbench
