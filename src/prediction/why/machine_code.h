#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opbench {

/// The innermost loop of a kernel that computes most, counted from its instructions: nothing here
/// is measured.
struct HotLoop {
  std::string function;
  int instructions = 0;
  int vector_bits = 0;    ///< of the widest arithmetic: 512, 256, 128; 32 or 64: one lane
  int arithmetic = 0;     ///< instructions that compute with vector registers
  int multiply_adds = 0;  ///< of these, fused
  int scalar = 0;         ///< of these, on one lane
  int memory = 0;         ///< vector instructions that read or write memory
  int stack_loads = 0;    ///< of these, from a fixed place on the stack: a spilled register
  int stack_stores = 0;
  bool is_loop = true;            ///< false: the code is written out and has no loop that computes
  std::vector<std::string> text;  ///< its instructions
  bool operator==(const HotLoop&) const = default;
};

/// A loop that a kernel hands to the threads.
struct ParallelLoop {
  std::string function;          ///< that runs a task
  std::optional<int64_t> tasks;  ///< nothing: known at run time only
  bool operator==(const ParallelLoop&) const = default;
};

/// What the listing of a kernel's object says.
struct MachineCode {
  std::optional<HotLoop> hot;  ///< nothing: no vector instruction
  std::vector<ParallelLoop> parallel;
};

/// Reads what `objdump -dr` or `llvm-objdump -dr` prints of x86 code in AT&T's syntax. Of other
/// texts all is empty.
MachineCode read_listing(std::string_view listing);

/// Tasks of the parallel loop that the hot loop is in; 1 where it is in none; nothing where that
/// is not known.
std::optional<int64_t> parallel_tasks(const MachineCode& code);

}  // namespace opbench
