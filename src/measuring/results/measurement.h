#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/time_clock.h"

namespace opbench {

/// One timed repeat: `number` calls in a row. Times per call, in seconds.
struct Sample {
  double wall_s = 0;
  double cpu_s = 0;                  ///< CPU time of all threads, per call
  int64_t involuntary_switches = 0;  ///< over the whole repeat, all threads
  /// Seconds that threads waited for a CPU, over the whole repeat, all threads; nothing: not known.
  std::optional<double> waited_s = {};
  /// What launches and copies took by a device's own clock, per call; nothing: none runs on one.
  std::optional<double> device_s = {};
  std::optional<double> copies_s = {};  ///< the part of it that copies took
  TimeClock clock = TimeClock::kWall;   ///< of wall_s
  int64_t minor_faults = 0;
  int cpu = -1;        ///< where the repeat ended; -1 unknown
  int process = 0;     ///< index of the engine process
  double spent_s = 0;  ///< of the run, per call: far above wall_s with cold caches; 0: not known
  std::string flag;    ///< empty when clean; else the cause: warm_up, preempted, migrated, faulted
  bool operator==(const Sample&) const = default;
};

/// What is known about one time: median over process medians with its 95 % interval.
struct Measurement {
  double median_ms = 0, low_ms = 0, high_ms = 0;
  double min_ms = 0, q1_ms = 0, q3_ms = 0, mad_ms = 0, mean_ms = 0, std_ms = 0;
  double cv = 0;           ///< coefficient of variation of the clean samples
  double effective_n = 0;  ///< clean samples, corrected for autocorrelation
  int64_t number = 1;      ///< calls averaged into one sample
  int processes = 0;
  bool steady = true;
  std::string stop_reason;                 ///< precision, plateau, budget
  std::map<std::string, int64_t> dropped;  ///< by cause
  std::vector<Sample> samples;             ///< raw, flagged ones included
  TimeClock clock = TimeClock::kWall;      ///< of all samples
  /// As a report says them, whose samples do not; else percentiles.h finds them in samples.
  std::optional<double> device_ms = {}, copies_ms = {}, without_copies_ms = {};
};

}  // namespace opbench
