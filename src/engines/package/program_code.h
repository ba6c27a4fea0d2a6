#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "engines/runtime/program.h"

namespace opbench {

/// The hashes of kernels' objects, by function.
using KernelHashes = std::map<std::string, std::string>;

/// A hash of what a step runs: its kernel, and how the tensors lie that it reads and makes. Names
/// do not count, nor where weights lie in their file, as that changes with every weight before
/// them. The plan of teams counts as far as the step's own workers.
std::string hash_of_step(const Program& program, size_t step, const KernelHashes& kernels);

/// The same of a whole program: all that lies in it counts but for the names of kernels and model.
std::string hash_of_program(Program program, const KernelHashes& kernels);

}  // namespace opbench
