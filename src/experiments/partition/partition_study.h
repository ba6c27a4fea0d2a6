#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// Times of all sizes of parts of one operator on one of two devices.
struct PartTimes {
  std::string device;
  std::string target;                  ///< display form
  std::vector<std::string> schedules;  ///< of 1, 2, … parts; empty text: the reference
  std::vector<double> times_ms;        ///< of 1, 2, … parts
  std::vector<double> errors_ms;       ///< half-widths of their intervals; 0: not known
};

/// A time over another one, with the interval that both leave.
struct TimeRatio {
  double ratio = 1, low = 1, high = 1;
};

/// From two times above 0 and the half-widths of their 95 % intervals, which are independent.
TimeRatio ratio_of_times(double over_ms, double over_error_ms, double under_ms,
                         double under_error_ms);

/// One operator in parts of whole tiles.
struct PartitionGrid {
  std::string workload;
  int64_t channels = 0;       ///< of the output
  int64_t part_channels = 0;  ///< of a part; the last one may have fewer
  int parts = 1;
  PartTimes first, second;
  double join_ms = 0;                     ///< sync and transfer when both devices work: modelled
  std::string join_source;                ///< in words
  std::optional<TimeRatio> control = {};  ///< A/A: the whole operator on the first device again
  std::string noise = {};                 ///< of the machine before the sizes were timed
};

/// One way to share the parts.
struct SplitChoice {
  int first_parts = 0;
  double time_ms = 0;  ///< by the measured grid
};

/// A round of the balancer.
struct BalancedRound {
  int first_parts = 0;  ///< of the split that the round ran with
  double time_ms = 0;
  double best_ms = 0;  ///< of the grid, as the devices are in this round
};

struct PartitionStudy {
  double floor = 0;            ///< a ratio within this share of 1 is chance; 0: without a control
  TimeRatio second;            ///< the whole operator on the second device over the first, with
  std::string second_verdict;  ///< place_verdict on how much faster the second is
  TimeRatio speedup;           ///< of the best split over the faster device alone, with
  std::string verdict;         ///< place_verdict
  std::vector<SplitChoice> grid;  ///< by parts on the first device, from 0
  SplitChoice best;
  double alone_ms = 0;     ///< of the faster device with all parts
  SplitChoice even;        ///< half of the parts each
  SplitChoice probed;      ///< what few measurements lead to
  int probes = 0;          ///< times that it looked at, on both devices together
  double guided_ms = 0;    ///< guided self-scheduling, simulated on the grid's times
  double slow_factor = 1;  ///< of the second device, from `slow_round` on
  int slow_round = 0;
  std::vector<BalancedRound> rounds;  ///< simulated
  std::optional<int> adapted_after;   ///< rounds until the split is within 3 % of the best again
};

struct PartitionStudyOptions {
  double slow_factor = 2;
  int slow_round = 5;
  int rounds = 15;
};

/// `kInvalidInput` for a grid without a time above 0 for every size.
Result<PartitionStudy> study_partition(const PartitionGrid& grid,
                                       const PartitionStudyOptions& options);

/// The split that a few times lead to. It asks `time_ms(device, parts)` for one part, half and all,
/// and guesses the times of other sizes from these. Then it asks for the sizes of the split that
/// looks best, until that split has no guessed time. It asks once a size; `probes` counts.
SplitChoice probe_split(int parts, double join_ms,
                        const std::function<double(int device, int parts)>& time_ms, int& probes);

}  // namespace opbench
