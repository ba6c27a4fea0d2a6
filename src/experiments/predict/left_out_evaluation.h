#pragma once

#include "experiments/predict/evaluation.h"
#include "prediction/predict/unit_sample.h"

namespace opbench {

/// Every model of the samples, predicted as if it had never been measured (leave_models_out),
/// beside its measured time. Nothing is run. `level`: 0 … 1, of the intervals.
Result<Evaluation> evaluate_left_out(const SampleSet& samples, double level);

}  // namespace opbench
