#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/tables/table.h"

/// Finds steps in the levels of one series. A detector is one file,
/// `src/watching/detectors/<x>_detector.cpp`, that defines `DetectorDef <x>_detector()`; nothing
/// else is edited.
namespace opbench {

/// What a series gave in one measured night.
struct LevelPoint {
  int night = 0;            ///< place in the list of measured nights
  double level = 0;         ///< ln of the time, without what moved the whole machine
  bool is_rebuilt = false;  ///< another hash ran than in the point before
  double doubt = 0;         ///< standard deviation that its samples add, where they lie much wider
                            ///< apart than the row's usual ones: a neighbour was there
  double boundary_sd = 0;   ///< above 0: here a new environment or method began, and how far the
                            ///< level of a row may be off that was carried over it
  bool is_filled = false;   ///< its night was measured after a later one
};

/// How many nights have passed from a point on, its own included, without those that were filled
/// in between.
size_t nights_since(std::span<const LevelPoint> points, size_t at);

/// The points of a series up to tonight.
struct LevelView {
  std::span<const LevelPoint> points;
  size_t base = 0;   ///< first point of what is known to be one level: older ones were left by a
                     ///< confirmed change
  double noise = 0;  ///< standard deviation of a level from night to night
};

/// A step between two points.
struct LevelStep {
  size_t at = 0;    ///< first point of the new level
  double size = 0;  ///< ln(new / old)
  double sd = 0;    ///< its standard error, from the noise
  double z = 0;     ///< how sure the detector is, in the unit of its threshold
};

struct DetectorDef {
  std::string name;  ///< list: what `--detector` takes
  std::string summary;
  bool needs_hashes = false;  ///< without hashes it sees nothing
  double threshold = 0;       ///< of `LevelStep::z`: at least this much is worth a question
  double sure = 0;            ///< at least this much is worth an alert where nobody can be asked
  int delay = 0;              ///< nights after a step within which it speaks about it
  /// The steps of the last `delay` nights. A pure function.
  std::vector<LevelStep> (*find)(const LevelView& view) = nullptr;
};

/// Every detector, from the files `<x>_detector.cpp`.
const Table<DetectorDef>& detector_table();

/// The one that needs hashes and pairs, and the one for histories that have none.
inline constexpr const char* kHashDetector = "hash";
inline constexpr const char* kPlainDetector = "l1";

}  // namespace opbench
