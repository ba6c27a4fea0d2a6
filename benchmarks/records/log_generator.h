#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "records/record/tuning_record.h"

namespace opbench {

/// Writes AutoTVM logs like those of real tuning runs, from real records as patterns: shapes,
/// knobs, config indices, costs and times all vary. The same seed gives the same bytes.
class LogGenerator {
 public:
  /// The patterns: the records of the logs of a folder.
  static Result<LogGenerator> make(const std::filesystem::path& logs);

  struct Options {
    std::filesystem::path file;
    int64_t bytes = 0;    ///< at least; 0: no limit but `records`
    int64_t records = 0;  ///< 0: no limit but `bytes`
    uint64_t seed = 1;
    bool has_sessions = true;  ///< runs of 1 to 1 063 trials of a workload; else each has its own
  };
  /// The number of records written.
  Result<int64_t> write(const Options& options) const;

 private:
  std::vector<TuningRecord> patterns_;
};

}  // namespace opbench
