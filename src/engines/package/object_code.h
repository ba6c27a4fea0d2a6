#pragma once

#include <string>
#include <string_view>

namespace opbench {

/// A hash of what an object file executes: the sections that are loaded, and what their relocations
/// name. The function's own name does not count, nor do names of what is local, tables of names and
/// remarks of compilers: kernels that are compiled from changed sources to the same instructions
/// have the same hash. `object` holds the file's bytes; of what is no ELF object of 64 bits, all
/// bytes count but for the name.
std::string hash_of_object(std::string_view object, std::string_view function);

}  // namespace opbench
