#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/statistics.h"
#include "measuring/sampling/paired_rounds.h"
#include "measuring/sampling/procedure.h"

namespace opbench {

/// The same work on several sides, which are measured in turn.
struct PairedItem {
  std::string id;
  std::vector<size_t> sides;  ///< the runner's item on each side; the base first
  std::vector<int> threads;   ///< of a call, by side
  double expected_s = 0;      ///< of the slowest side's call, by prediction; 0 unknown
};

struct PairedOptions {
  Seconds budget{60};  ///< for all items together; what is decided earlier ends earlier
  double precision =
      0.01;           ///< half-width of every ratio's interval at which a decided item is done
  int processes = 5;  ///< of each side; process p of one side is paired with p of the others
  /// Of each side, for items on which more rounds in the same processes do not help; a number not
  /// above `processes` means none.
  int most_processes = 0;
  int min_rounds = 4;  ///< undisturbed ones, per process
  uint64_t seed = 0;
  Seconds clock_resolution{1e-9};
  /// Where the budget is too small for every item in all processes: first there are fewer
  /// processes, then the items with the shortest calls are left out. The longest always has a time.
  bool is_firm = false;
};

/// What is known of one item.
struct PairedTimes {
  /// Times a call, a sample a visit; before the end only medians and clocks. Medians and intervals
  /// are of the rounds that count, and median k over median 0 is exp(log_ratios[k - 1]).
  std::vector<Measurement> sides;
  std::vector<Estimate> log_ratios;        ///< ln(side k+1 / side 0): centre, 95 % interval, error
  std::vector<PairedRound> made;           ///< all rounds as measured; before the end none
  int64_t rounds = 0;                      ///< that count, over all processes
  std::map<std::string, int64_t> dropped;  ///< rounds left out, by cause
  Seconds spent{0};                        ///< on its rounds
  std::string stop_reason;                 ///< decided, plateau, budget, interrupted
};

/// Exactly one of the two.
struct PairedItemResult {
  std::optional<PairedTimes> times;
  std::optional<Failure> failure;
  int failed_side = -1;
};

struct PairedResult {
  std::vector<PairedItemResult> items;  ///< in the order of the items
  Seconds spent{0};
  bool interrupted = false;
};

struct PairedHooks {
  std::function<void(const SamplingProgress&)> progress;
  std::function<bool()> should_stop;
  /// Whether more rounds of this item could not change what will be said; may be empty, then
  /// precision alone ends an item.
  std::function<bool(size_t item, const PairedTimes&)> is_decided;
};

}  // namespace opbench
