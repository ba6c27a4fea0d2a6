#pragma once

#include "prediction/predict/unit_predictor.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// Writes what a predictor learnt from and how far off it is, in the format asked for (as JSON:
/// `opbench.predictor-card/1`), then its summary to stderr. Errors of write_table.
Result<void> write_predictor_card(const UnitPredictor& predictor, const Arguments& arguments,
                                  Terminal& terminal);

}  // namespace opbench
