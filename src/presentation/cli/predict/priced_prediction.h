#pragma once

#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// --prices and --within of `predict`.
std::vector<OptionDef> price_options();

/// `predict MODEL… --prices FILE`: which device of a price table is the cheapest that meets the
/// latency, for each model. `kInvalidInput` as the table, the times and the models give it;
/// `kNoMatch` without a predictor; `kPartial` when a model has no device.
Result<void> predict_prices(const Arguments& arguments, Terminal& terminal);

}  // namespace opbench
