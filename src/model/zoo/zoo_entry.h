#pragma once

#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// A built-in model.
struct ZooEntry {
  std::string name;    ///< "resnet-18"
  std::string source;  ///< the seeds' model source: "local", "simple", …
  std::string summary;
  /// The free dimensions of its inputs, with the extents that they have unless somebody says
  /// otherwise.
  std::vector<Dimension> dimensions = {};
};

}  // namespace opbench
