#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/web/requests/suite_findings.h"
#include "presentation/web/view.h"

namespace opbench {

/// Puts the alerts of a suite's findings, and what people said of them, on the points of a series
/// (`SeriesData`); adds them as `AlertInfo` to `alerts` where they are not there yet.
Result<void> mark_alerts(WebStore& store, const SuiteNights& nights,
                         const SuiteFindingsKept& findings, Json& data, Json& alerts);

/// The time of the night before and of the night with an alert's change, in epoch milliseconds.
/// `kNoMatch` for an unknown alert, with the known ones.
struct AlertTimes {
  int64_t good_ms = 0;
  int64_t bad_ms = 0;
};
Result<AlertTimes> times_of_alert(WebStore& store, const SuiteNights& nights,
                                  const SuiteFindingsKept& findings, const std::string& alert);

}  // namespace opbench
