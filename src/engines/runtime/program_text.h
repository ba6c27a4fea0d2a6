#pragma once

#include <string>

#include "engines/runtime/program.h"

namespace opbench {

inline constexpr const char* kProgramSchema = "opbench.program/5";

/// program.json of a package, in one line.
std::string json_text_of(const Program& program);

}  // namespace opbench
