#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "measuring/results/profile_result.h"
#include "records/record/replay.h"

namespace opbench {

/// One record with what it is now.
struct ReplayRow {
  ReplayItem item;
  int64_t number = 0;              ///< in the file, from 1
  std::optional<Measurement> now;  ///< absent: not measured, or failed
  ReplayVerdict verdict;
};

struct ReplayResult {
  std::vector<ReplayRow> rows;  ///< in the order of the file
  bool is_interrupted = false;  ///< then the rows that came before it
};

}  // namespace opbench
