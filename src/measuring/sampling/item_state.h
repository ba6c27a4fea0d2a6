#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "measuring/results/profile_result.h"
#include "measuring/sampling/sampling_plan.h"

namespace opbench {

/// One item in one process, as far as it was sampled.
struct SampledPlace {
  std::vector<Sample> samples;
  double faults = 0;
  int last_cpu = -1;
  bool steady = true;

  /// All but the last `keep` clean samples, and those between them, become warm-up.
  void mark_warm_up(size_t keep);
};

/// One item in the course of sample_items.
struct ItemState {
  std::vector<SampledPlace> places;  ///< by process
  int64_t number = 1;
  double call_s = 0;
  StopRule rule;
  std::string stop_reason = {};
  Measurement latest = {};
  std::optional<Failure> failure = {};

  bool is_active() const { return !failure && stop_reason.empty(); }
  bool is_untouched() const;
  /// From the samples of all places.
  Measurement estimate_now(uint64_t seed) const;
};

}  // namespace opbench
