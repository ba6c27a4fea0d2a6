#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/web/requests/suite_findings.h"
#include "presentation/web/view.h"

namespace opbench {

/// Which points of a series a page shows.
struct SeriesWindow {
  static constexpr int64_t kUsualPoints = 2000;
  int64_t from_ms = std::numeric_limits<int64_t>::min() / 2;
  int64_t to_ms = std::numeric_limits<int64_t>::max() / 2;
  int64_t most_points = kUsualPoints;  ///< more are put into buckets
  /// Points stand in the order of these, those of other commits behind what was measured before
  /// them; empty: all stand in the order of their times.
  std::vector<std::string> commits = {};
};

/// `SeriesData` of the contract. `kNoMatch` for an unknown id, with a guess.
Result<Json> series_data(WebStore& store, const std::string& id, const SeriesWindow& window);

/// Columns of `series` beside `stats` as a page shows them: SQL behind SELECT.
const std::string& series_columns();

/// The suite whose nights a series belongs to; nothing where it belongs to none.
Result<std::optional<SuiteNights>> suite_of_series(WebStore& store, const std::string& id);

/// The commits of what `ids` were measured at, in their order on the branch as `nights` (of the
/// suites of these series, in turns) know it. Without nights: as they were measured first.
Result<std::vector<std::string>> commits_of_series(WebStore& store,
                                                   const std::vector<std::string>& ids,
                                                   const std::vector<Night>& nights);

}  // namespace opbench
