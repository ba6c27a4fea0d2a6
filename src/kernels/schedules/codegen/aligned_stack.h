#pragma once

#include <cstdint>
#include <vector>

namespace opbench {

/// LLVM's bitcode, for x86, that lets a module's functions count on a stack whose end, before the
/// return address, is a multiple of 64 bytes: who calls them sees to it (kernel_call.h).
const std::vector<uint8_t>& aligned_stack_bitcode();

}  // namespace opbench
