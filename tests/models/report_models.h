#pragma once

#include <map>
#include <string>

namespace opbench::test {

/// Models in ONNX's text form, after what public reports about other tools found, by their names.
std::map<std::string, std::string> report_models();

}  // namespace opbench::test
