#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace opbench {

/// How to start an engine.
struct EngineCommand {
  std::vector<std::string> argv = {};
  std::map<std::string, std::string> environment = {};  ///< added to ours
  std::vector<int> cpus = {};                           ///< affinity before exec; empty: as ours
  std::filesystem::path log = {};                       ///< its stdout and stderr
  bool has_own_session = false;  ///< so that a priority that it takes is its own alone
};

}  // namespace opbench
