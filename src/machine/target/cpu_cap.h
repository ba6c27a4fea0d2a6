#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/errors/error.h"

/// $OPBENCH_CPU: a processor of x86_processors() that results shall hold for. A cap only takes
/// instruction sets away: what this machine lacks stays missing.
namespace opbench {

/// The processor that $OPBENCH_CPU names; nothing when it is not set, empty or unknown.
std::optional<std::string> cpu_cap();

/// `kInvalidInput` when $OPBENCH_CPU names no known processor, with the known ones and a guess.
Result<void> check_cpu_cap();

/// The words of this machine's first CPU that $OPBENCH_CPU lets stand, as the kernel spells them.
/// All that the program believes of its CPU comes from here.
std::set<std::string> cpu_flags();

/// The words of /proc/cpuinfo that are left of `flags` under the cap: those of instruction sets
/// that the processor has, and those that are no vector instructions. All of them without a cap.
std::set<std::string> within_cap(std::set<std::string> flags);

/// What the processor of the cap has and this machine lacks, in LLVM's words. Empty without a cap.
std::vector<std::string> beyond_this_cpu();

}  // namespace opbench
