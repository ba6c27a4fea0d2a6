#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace opbench {

/// One search that is killed with -9 again and again, and goes on from its log.
struct TuneKillOptions {
  std::string program;           ///< opbench
  std::filesystem::path folder;  ///< for the log
  int kills = 8;
  uint64_t seed = 1;
};

struct TuneKillResult {
  int kills = 0;
  int64_t trials = 0;                 ///< lines that the log had when a search was killed
  int lost = 0;                       ///< of these, not there after the next search
  int doubled = 0;                    ///< configs that are there twice
  int unreadable = 0;                 ///< whole lines that hold no trial
  std::vector<std::string> failures;  ///< searches that ended with an error, and why
};

TuneKillResult run_tune_kills(const TuneKillOptions& options);

}  // namespace opbench
