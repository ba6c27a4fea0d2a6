#pragma once

#include <string>
#include <vector>

namespace opbench {

/// What the head of a report says about the machine, from the environment object as JSON: CPU,
/// cores, caches, system; then what makes its times unsteady. Nothing for text that is no object.
std::vector<std::string> machine_lines(const std::string& environment_json);

}  // namespace opbench
