#pragma once

#include <string>

#include "engines/runtime/program.h"

namespace opbench {

inline constexpr const char* kProgramSchema = "opbench.program/5";
/// Of a program with steps on a device: /5 with the scope of slots, who runs a step, and copies.
/// Others stay /5, byte for byte.
inline constexpr const char* kDeviceProgramSchema = "opbench.program/6";

/// program.json of a package, in one line.
std::string json_text_of(const Program& program);

}  // namespace opbench
