#pragma once

#include <string>
#include <vector>

#include "machine/facts/environment.h"

namespace opbench {

/// What the head of a report says about the machine: CPU, cores, caches; then the system and what
/// makes its times unsteady. Nothing for an empty environment.
std::vector<std::string> machine_lines(const Environment& environment);

}  // namespace opbench
