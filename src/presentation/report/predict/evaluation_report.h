#pragma once

#include <string>

#include "experiments/predict/evaluation.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {

/// A row a model: predicted beside measured.
TextTable evaluation_table(const Evaluation& evaluation);

/// A row a way to predict: the predictor, the baselines, and the visits against each other.
TextTable error_table(const Evaluation& evaluation);

/// Coverage of the intervals and how many models' visits agree.
std::string evaluation_summary(const Evaluation& evaluation, double level);

/// Schema `opbench.predict-evaluation/1`.
std::string evaluation_json(const Evaluation& evaluation, double level,
                            const std::string& predictor);

}  // namespace opbench
