#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "machine/facts/environment.h"
#include "model/operators/workloads/unit_identity.h"
#include "prediction/interference/pair_forecast.h"

namespace opbench {

/// What came out of co-running two things.
struct MeasuredCorun {
  std::array<std::optional<Slowdown>, 2> slowdowns;
  std::array<double, 2> solo_ms{};         ///< medians; 0: not measured
  int64_t kept = 0;                        ///< rounds
  std::map<std::string, int64_t> dropped;  ///< rounds by cause
  int64_t disturbed_turns = 0;             ///< left out of the rounds that were kept
  std::string reason;                      ///< why there is no slow-down; empty: there is one

  int64_t dropped_rounds() const {
    int64_t sum = 0;
    for (const auto& [cause, rounds] : dropped) sum += rounds;
    return sum;
  }
};

/// A unit that meets others: equal units of a model are one.
struct InterferenceUnit {
  std::string key;      ///< A, B, …: its name in tables
  std::string subject;  ///< name of the model
  UnitIdentity identity;
  int64_t count = 1;            ///< equal units in the model
  double in_model_ms = 0;       ///< of one call inside the model, one thread
  double share = 0;             ///< of the model's time, all equal units together
  double alone_ms = 0;          ///< median over all solo phases; 0: not measured
  std::optional<double> bytes;  ///< that one call reads and writes at least
};

/// The neighbour at one level.
struct InterferenceLevel {
  std::string name;  ///< 16 MiB at 50 %
  int64_t bytes = 0;
  double duty = 1;
  bool is_probe = false;  ///< the reference probe runs at this level
  MeasuredCorun probe;    ///< the probe beside the neighbour at this level
};

/// The index of the probe's level.
size_t probe_of(const std::vector<InterferenceLevel>& levels);

struct InterferencePair {
  size_t first = 0, second = 0;  ///< units; equal: two of the same
  MeasuredCorun corun;
  std::optional<std::array<PairForecast, 2>> forecasts;  ///< of first beside second, and back
};

/// All that one run found out.
struct InterferenceResult {
  std::string timestamp;
  std::vector<std::string> models;
  std::string target;
  std::array<int, 2> cpus{};
  uint64_t seed = 0;
  double threshold = 1.1;
  bool has_pairs = true;
  Environment environment;  ///< empty: not captured
  MeasuredCorun control;    ///< two loops in registers: 1.00 where CPUs do not disturb each other
  std::vector<InterferenceUnit> units;
  std::vector<InterferenceLevel> levels;
  std::vector<std::vector<MeasuredCorun>> beside;  ///< by unit and level: unit first
  std::vector<InterferencePair> pairs;             ///< all, those that were not measured too
  std::vector<ForecastErrors> errors;              ///< ours first
  double noise_floor = 0;                          ///< see pair_forecast.h
  size_t undecided = 0;
  size_t judged = 0;                      ///< slow-downs with forecasts
  double peak_gbytes_per_s = 0;           ///< of memory, both CPUs; 0: not known
  double spent_s = 0;                     ///< on co-runs
  bool has_raised_priority = false;       ///< the system let the co-runs' threads before others
  int passes = 0;                         ///< over all co-runs, the last perhaps in part
  int64_t kept = 0, dropped = 0;          ///< rounds in all
  int64_t disturbed_turns = 0;            ///< left out of the rounds that were kept
  std::map<std::string, int64_t> causes;  ///< of the dropped rounds
  std::vector<std::string> warnings;
  std::vector<std::string> failures;  ///< co-runs that ended with an error

  /// Slow-down of the reference probe beside a unit; nothing where that was not measured.
  std::optional<Slowdown> pressure_of(size_t unit) const;
};

}  // namespace opbench
