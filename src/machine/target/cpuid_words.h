#pragma once

#include <set>
#include <string>

namespace opbench {

/// True if `word` of /proc/cpuinfo names an instruction set that CPUID denies: an emulator of one
/// process (qemu-user) answers CPUID itself and shows the host's /proc/cpuinfo. False for words
/// that are not known here, and on other machines than x86.
bool is_denied_by_cpuid(const std::string& word);

/// The words that CPUID grants and whose registers the system saves: what stands in where
/// /proc/cpuinfo cannot be read. Without those of AMX, for which a program must ask the system.
std::set<std::string> words_of_cpuid();

}  // namespace opbench
