#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "watching/detectors/detector.h"
#include "watching/nights/pair_ladder.h"
#include "watching/series/history.h"

/// What is known after a night. All of it is plain data: it can be copied, kept and gone on with,
/// and says nothing of nights to come.
namespace opbench {

/// Numbers of the procedure (docs/how-to/watch-regressions.md).
struct WatchOptions {
  std::string detector = kHashDetector;
  LadderOptions ladder = {};
  int runs_a_night = 8;           ///< paired runs
  int runs_a_group_night = 3;     ///< of them in one group
  int runs_a_group = 6;           ///< in all
  double smallest_change = 0.01;  ///< of ln(new / old): less is not asked about
  double joins = 3.5;             ///< a row with this z joins a confirmed group of its direction
  int probes_a_boundary =
      40;  ///< rows built again with a new environment: their history says little
  int pairs_a_probe = 4;
  int settled_nights = 12;
  int missing_nights = 3;  ///< in a row, until missing results are confirmed
};

/// A night that was measured.
struct MeasuredNight {
  int index = 0;
  std::string date = {};
  std::vector<Commit> commits = {};
  std::string environment = {};
  std::string method = {};
  double common = 0;                             ///< ln of how much slower the whole machine was
  std::vector<std::string> common_engines = {};  ///< whose untouched code says so, controls first
  bool is_filled = false;                        ///< as in Night
  bool is_partial = false;                       ///< cut off: what is missing says nothing
  bool starts_segment = false;
};

/// One series so far.
struct WatchedRow {
  std::vector<LevelPoint> points = {};
  std::vector<double> times = {};    ///< ln of the median, by point
  std::vector<double> spreads = {};  ///< of the samples' ln, by point
  std::string hash = {};             ///< of the last point
  size_t base = 0;                   ///< as in LevelView
  int unchanged_nights = 0;          ///< points since the last rebuild
  double carry = 0;        ///< what environments and methods moved it by, from the first one on
  double boundary_sd = 0;  ///< of a boundary since the last point
  double share = 1;        ///< of the common move
  double share_xy = 0, share_xx = 0;
  double noise = 0.03;
  bool is_fused = false;      ///< its history was made from other rows'
  bool is_replaced = false;   ///< its nodes are in another row now
  bool is_regrouped = false;  ///< fusion gave its nodes to several rows: it is not missing
  int missing_since = -1;     ///< place of the first night without it; -1: it is there
  int missing_nights = 0;
};

enum class QuestionState {
  kOpen,
  kChanged,
  kSame,
  kUnknown,
  kMoved,   ///< the unit changed, its chain did not
  kFailed,  ///< a build cannot be had
};

/// Whether a row changed at a point.
struct Question {
  int row = 0;
  size_t at = 0;  ///< first point of the new level
  int group = 0;
  LevelStep step = {};         ///< as seen last
  int opened = 0;              ///< place of a night
  int seen = 0;                ///< place of the last night that was looked at
  bool is_suspected = false;   ///< the step still stands
  bool was_suspected = false;  ///< so it was the night before
  QuestionState state = QuestionState::kOpen;
  PairedSize size = {};
  int64_t pairs = 0;
  int calls = 0;
  int asked_nights = 0;
  int last_asked = -1;  ///< place of a night
  std::string failure = {};
};

/// All questions of one commit range and engine.
struct QuestionGroup {
  std::string engine = {};
  int good = 0, bad = 0;  ///< places of nights
  int runs = 0;
  std::vector<int> questions = {};
  int reported = 0;
  std::optional<int> confirmed = {};
  std::optional<int> settled = {};
};

struct WatchState {
  std::vector<Series> series = {};
  std::vector<WatchedRow> rows = {};  ///< by series
  std::vector<MeasuredNight> nights = {};
  std::vector<Question> questions = {};
  std::vector<QuestionGroup> groups = {};
  int64_t measured_rows = 0;
  int64_t paired_runs = 0;
  int64_t probes = 0;  ///< short ones at boundaries
  int64_t pairs = 0;
  bool has_hashes = false;
  std::vector<std::string> notes = {};
  int noisy_nights =
      0;  ///< in a row, whose suspicions hardly overlap with those of the night before
};

}  // namespace opbench
