#pragma once

#include <map>
#include <set>
#include <string>

#include "model/graph/graph.h"

namespace opbench {

/// A model with what the request says of its inputs.
struct RequestedModel : Model {
  std::set<std::string> fixed_inputs;              ///< that became constants
  std::map<std::string, std::string> input_files;  ///< by input: of `--check expected:DIR`
};

}  // namespace opbench
