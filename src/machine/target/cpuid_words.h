#pragma once

#include <string>

namespace opbench {

/// True if `word` of /proc/cpuinfo names an instruction set that CPUID denies: an emulator of one
/// process (qemu-user) answers CPUID itself and shows the host's /proc/cpuinfo. False for words
/// that are not known here, and on other machines than x86.
bool is_denied_by_cpuid(const std::string& word);

}  // namespace opbench
