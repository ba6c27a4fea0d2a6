#pragma once

#include <string>

namespace opbench {

/// A built-in model.
struct ZooEntry {
  std::string name;    ///< "resnet-18"
  std::string source;  ///< the seeds' model source: "local", "simple", …
  std::string summary;
};

}  // namespace opbench
