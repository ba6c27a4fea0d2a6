#pragma once

#include <map>
#include <string>
#include <vector>

namespace opbench {

/// What the user adds to the records of a run.
struct RecordNotes {
  std::vector<std::string> argv;  ///< the command line
  std::map<std::string, std::string> labels;
  std::map<std::string, double> metrics;
};

}  // namespace opbench
