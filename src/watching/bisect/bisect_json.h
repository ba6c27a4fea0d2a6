#pragma once

#include <string>
#include <string_view>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "watching/bisect/bisect_state.h"

namespace opbench {

/// The state as one JSON object:
/// {"record": "bisect", "format": 1, "rule": {…}, "commits": [{"id", "subject", "log_ratios",
/// "skipped"}, …], "direct": {"before", "after", "log_ratios"}}.
Json bisect_json(const BisectState& state);

/// The reverse, bit for bit. `kInvalidInput` naming the member that is missing, of another type or
/// out of range.
Result<BisectState> read_bisect(std::string_view text);

}  // namespace opbench
