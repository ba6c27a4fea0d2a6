#pragma once

#include <cstdint>
#include <string>

#include "base/errors/error.h"
#include "records/store/store_folder.h"

namespace opbench {

/// Labels of a record whose samples were dropped: `watch_samples` says so; `watch_median_ms` and
/// `watch_deviation` are the median of its samples and the median deviation of their logarithms.
inline constexpr const char* kSamplesLabel = "watch_samples";
inline constexpr const char* kDroppedMedianLabel = "watch_median_ms";
inline constexpr const char* kDroppedDeviationLabel = "watch_deviation";

struct SampleDrop {
  bool is_elsewhere = false;  ///< another program merges parts of this store at the moment
  int64_t records = 0;        ///< that lost their samples
  int64_t bytes_after = 0;    ///< of all parts of results
};

/// Drops the raw samples of results that `condition`, SQL over the columns of benchmarks, is true
/// of; medians, intervals, counts and all else stay. The parts that hold them are written again as
/// one, which counts in their place from the moment it is there: a program that is killed has
/// changed nothing, or all. `kSystem` for a full disk; then nothing has changed.
Result<SampleDrop> drop_samples(StoreFolder& store, const std::string& condition);

/// Of all parts of results.
Result<int64_t> bytes_of_results(StoreFolder& store);

}  // namespace opbench
