#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace opbench {

/// Programs that write, compact and read one store at the same time, most of them killed with -9
/// on their way.
struct KillTrialOptions {
  std::string program;           ///< opbench
  std::filesystem::path folder;  ///< for the store and what goes into it
  int kills = 30;
  int writers = 4, compactors = 2, readers = 2;
  uint64_t seed = 1;
};

struct KillTrialResult {
  int kills = 0, killed_writers = 0, killed_compactors = 0, killed_readers = 0;
  int acknowledged = 0;  ///< batches
  int compactions = 0, reads = 0;
  int lost = 0;     ///< acknowledged batches that are not there
  int doubled = 0;  ///< batches of which rows are there twice
  int partial = 0;  ///< batches of which some rows are missing
  int wrong_reads = 0;
  std::vector<std::string> failures;  ///< programs that ended with an error, and why
};

KillTrialResult run_kill_trial(const KillTrialOptions& options);

}  // namespace opbench
