#pragma once

#include "experiments/analysis/turning_report.h"
#include "presentation/report/chart/chart.h"

namespace opbench {

/// The times over the axis, and of an only series the best form beside them. Of several axes the
/// one that explains most.
Chart turning_chart(const TurningReport& report);

}  // namespace opbench
