#pragma once

#include <map>
#include <string>

namespace opbench::test {

/// Models with branches and loops in ONNX's text form, by their names.
std::map<std::string, std::string> loop_models();

}  // namespace opbench::test
