#pragma once

#include "base/errors/error.h"
#include "base/json/json.h"
#include "watching/series/alert.h"

/// Writer and reader of `opbench.regress/1`.
namespace opbench {

Json alert_json(const Alert& alert);
Json regress_json(const RegressReport& report);

/// The reverse. `kInvalidInput` naming the member that is missing or of another kind.
Result<Alert> alert_of_json(const Json& json);
Result<RegressReport> regress_of_json(const Json& json);

}  // namespace opbench
