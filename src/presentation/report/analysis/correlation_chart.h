#pragma once

#include "experiments/analysis/correlation_report.h"
#include "presentation/report/chart/chart.h"

namespace opbench {

/// All factors that were measured side by side: |Spearman|, distance correlation, mutual
/// information, share of the variance.
Chart factors_chart(const TaskCorrelation& task);

/// The median time of each bin of a factor, quartiles as whiskers. `is_relative`: times are over
/// the mean of their workload.
Chart factor_chart(const FactorCorrelation& factor, bool is_relative);

/// The factor with the largest effect among those that the time depends on; else nothing.
const FactorCorrelation* strongest_factor(const TaskCorrelation& task);

}  // namespace opbench
