#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/regress/night_history.h"
#include "records/store/store_folder.h"
#include "watching/series/alert.h"

namespace opbench {

/// Names of the nights whose raw samples may be dropped, the oldest first: all but the last 60 of
/// the present segment, and those of open alerts.
std::vector<std::string> nights_without_need(const History& history,
                                             const std::vector<Alert>& alerts);

/// Whose nights they are.
struct SampleScope {
  std::string suite;
  std::string branch;
  std::string machine;  ///< machine_hash
};

struct PrunedSamples {
  bool is_elsewhere = false;  ///< another program merges parts of the store at the moment
  int64_t nights = 0;         ///< that lost their samples
  double freed_bytes = 0;
  double bytes = 0;  ///< of the store's results afterwards
};

/// Drops raw samples of nights, in their order, until all results of the store together take at
/// most `bytes`, or no night is left. Errors as drop_samples().
Result<PrunedSamples> prune_samples(StoreFolder& store, const SampleScope& scope,
                                    const std::vector<std::string>& nights, double bytes);

}  // namespace opbench
