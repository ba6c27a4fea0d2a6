#pragma once

#include <filesystem>
#include <string>

#include "base/errors/error.h"

namespace opbench {

/// The instructions of an object file as `objdump -dr` prints them, or LLVM's program of that name
/// where there is no other. `kEnvironment` where there is none of both, or they do not read it.
Result<std::string> kernel_listing(const std::filesystem::path& object);

}  // namespace opbench
