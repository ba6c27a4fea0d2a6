#pragma once

#include <cstddef>
#include <vector>

#include "base/json/json.h"

namespace opbench {

/// A stretch of one level: all in ln(ms).
struct LevelSegment {
  size_t from = 0, to = 0;  ///< points, inclusive
  double level = 0;
  double sd = 0;  ///< of its points, robust
};

/// Levels of a series and its noise from point to point.
struct SeriesMarks {
  std::vector<LevelSegment> segments;
  double noise = 0;
};

/// Levels of the points (members `ms`; null counts for nothing) by the steps of the detector l1.
/// None with fewer than two times.
SeriesMarks marks_of(const std::vector<Json>& points);

/// `segments`, `changes` and `breaks` of `SeriesData`. Breaks: where the surroundings or the method
/// of the points become others.
Json segments_json(const SeriesMarks& marks);
Json changes_json(const SeriesMarks& marks);
Json breaks_json(const std::vector<Json>& points);

}  // namespace opbench
