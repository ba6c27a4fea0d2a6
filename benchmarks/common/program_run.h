#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// A program to run to its end.
struct ProgramCommand {
  std::vector<std::string> argv;                   ///< the program is a path
  std::map<std::string, std::string> environment;  ///< on top of this process's
  std::vector<int> cpus;                           ///< it sees no others; empty: as this process
  double limit_s = 600;
};

struct ProgramRun {
  int exit_code = 0;  ///< 128 + signal for one that was killed
  std::string out, err;
  double wall_s = 0;
  int64_t peak_bytes = 0;  ///< resident memory of this process, without those that it starts
};

/// Runs it with an empty standard input. `kEnvironment` if it cannot be started, `kTimeBudget` if
/// it was killed at its limit.
Result<ProgramRun> run_to_end(const ProgramCommand& command);

/// The `opbench` beside this executable.
std::string opbench_path();

}  // namespace opbench
