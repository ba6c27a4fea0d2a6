#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "watching/series/history.h"
#include "watching/series/paired_runs.h"

/// A year of nightly times as a machine and a team of developers would make it, with what really
/// happened in it.
namespace opbench {

/// How a machine behaves. Standard deviations are of log times.
struct YearNoise {
  std::string name;
  double sample_low = 0.003, sample_high = 0.02;  ///< of the samples of a row, by row
  double night_share = 0.30;                      ///< of that: from night to night
  double wander_keep = 0.85, wander_sd = 0.0015;  ///< of the whole machine
  double share_sd = 0.25;                         ///< of a row's part in it
  double season = 0.003, own_season = 0.003;
  double burst_nights = 0.03, burst_low = 0.03, burst_high = 0.20;  ///< nights, rows in them
  double moody_rows = 0.08, mood_swings = 0.03;                     ///< two placements of a row
  double odd_sample = 0.004, odd_row = 0.001;
  double missing_row = 0.005, missing_night = 0.015, cut_night = 0.01;
  double layout_sd = 0.002;  ///< what a rebuild changes for no reason in the code
  double kernel_rebuilds = 0.35, library_rebuilds = 0.22;
};

YearNoise quiet_machine();
YearNoise noisy_machine();

/// A change of the code: ln(new / old) of each row that it moved.
struct TrueChange {
  int night = 0;
  std::string engine;
  std::map<int, double> effects;  ///< by series
};

/// What really happened, and what paired runs draw from.
struct YearTruth {
  uint64_t seed = 0;
  std::string noise;
  std::vector<std::string> series;
  std::vector<TrueChange> changes;
  std::vector<double> floor;  ///< by series: a night's usual move; below 0: not known
  // What the machine does in a paired run, by series.
  std::vector<double> ms, sample_sd, night_sd, mood_gap;
  std::vector<std::string> chain;                         ///< engine/chain
  std::vector<std::pair<int, int>> alive;                 ///< first night, night after the last
  std::vector<std::vector<std::pair<int, double>>> code;  ///< log time from a night on
  std::vector<bool> is_burst;                             ///< by night
  double odd_row = 0;

  /// One of its effects is twice the floor of its series.
  bool is_big(const TrueChange& change) const;
};

struct SyntheticYear {
  History history;
  YearTruth truth;
};

struct YearSize {
  int nights = 360;
  int series = 300;
  int changes = 40;
  int samples = 9;
};

/// The same year for equal arguments.
SyntheticYear make_year(uint64_t seed, const YearNoise& noise, const YearSize& size = {});

/// The machine of a year: answers paired runs, equal questions equally. `truth` must outlive it.
PairSource machine_of(const YearTruth& truth);

/// A truth file as generators of years write them.
Result<YearTruth> read_truth(const std::string& path);

}  // namespace opbench
