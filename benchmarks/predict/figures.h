#pragma once

#include "benchmarks/common/benchmark.h"
#include "benchmarks/predict/corpus.h"

namespace opbench {

/// Predicts every model from others (a whole family left out, and a single model left out) and
/// keeps that in the corpus's frozen file, before truth is measured. Does nothing when the file is
/// there. `kInvalidInput` without samples of two families.
Result<void> freeze_predictions(const Corpus& corpus);

/// Compares what is frozen with the truth: a bar for each figure, baselines and noise as notes.
Result<void> report_figures(const Corpus& corpus, Report& report);

}  // namespace opbench
