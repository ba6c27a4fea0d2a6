#pragma once

#include <vector>

#include "base/errors/error.h"
#include "measuring/results/compare_result.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// What `compare` measured: one record a unit and one a model for every side, with ids. A side
/// other than the base has its verdict in labels.verdict (labels.reason says why), the ratio to the
/// base with its interval in the metrics ratio, ratio_low and ratio_high, and the margin in
/// margin_percent. labels.side tells the sides apart, labels.side_build names another build. Times
/// are those of `compare`: the fastest repeat of each visit. `kInvalidInput` if the environment is
/// not a JSON object.
Result<std::vector<BenchmarkRecord>> records_of(const CompareResult& comparison);

}  // namespace opbench
