#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "measuring/results/profile_result.h"
#include "measuring/sampling/sample_runner.h"
#include "measuring/sampling/sampling_plan.h"

namespace opbench {

/// How far sampling has come, after each visit to an item: `[ 37/112] name 0.412 ms ±0.6 % ETA …`.
struct SamplingProgress {
  size_t done = 0;  ///< items finished, failed ones included
  size_t total = 0;
  size_t item = 0;  ///< just visited
  std::optional<double> median_ms = {};
  std::optional<double> half_width_percent = {};
  Seconds remaining{0};  ///< at most, by the budget
};

/// What the surroundings give to a procedure; any function may be empty.
struct SamplingHooks {
  std::function<void(const SamplingProgress&)> progress;
  std::function<bool()> should_stop;  ///< true: finish the visit, then return what exists
  std::function<double()> reference;  ///< one repeat of the reference kernel, seconds
};

/// One of the two, or neither for an optional item that the budget had no time for.
struct ItemResult {
  std::optional<Measurement> time;
  std::optional<Failure> failure;
};

struct SamplingResult {
  std::vector<ItemResult> items;  ///< in the order of the items
  std::vector<double> drift_s;    ///< the reference kernel at every 16th visit
  Effort effort;                  ///< what every item got at least
  Seconds spent{0};
  bool interrupted = false;
};

/// Why an item without a failure has no time.
Failure why_not_sampled(bool is_interrupted);

/// Times all items (docs/reference/measuring.md, "How a profile samples"):
/// 1. Calibrates each in process 0: `number` so that a repeat fills shortest_repeat; the same
///    number in every process.
/// 2. Visits the items in process after process, in seeded random order, for the warm-up and the
///    first samples, as many as the budget allows (affordable_effort), at least three. What the
///    budget has no time for is left out, but for an item's first visit.
/// 3. Goes round the unfinished items in random order, five samples in each process, while an
///    item's share of what is left of the budget lasts, until precision or plateau.
/// With `runs` every item gets these samples and no others, the budget notwithstanding.
/// A flagged repeat is retaken at most twice and kept. An item that fails has its failure and is
/// not tried again; the process is recovered and the others go on.
SamplingResult sample_items(const std::vector<SamplingItem>& items, Runner& runner, Clock& clock,
                            const SamplingOptions& options, const SamplingHooks& hooks = {});

}  // namespace opbench
