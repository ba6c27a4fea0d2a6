#pragma once

#include <string>

#include "prediction/predict/unit_predictor.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {

/// The cards of a predictor, a row a kind of units, then one of all and one of whole models.
TextTable predictor_table(const UnitPredictor& predictor);

/// What it is, in two lines.
std::string predictor_summary(const UnitPredictor& predictor);

}  // namespace opbench
