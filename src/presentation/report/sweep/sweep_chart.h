#pragma once

#include <string>

#include "measuring/results/sweep_result.h"
#include "presentation/report/chart/chart.h"

namespace opbench {

/// The times of a sweep over the last key whose values are numbers (over the last key if none has):
/// a series for each choice of the other keys. Points without a time are left out.
Chart sweep_chart(const SweepResult& result);

/// The chart as an SVG image, intervals as whiskers.
std::string sweep_svg(const SweepResult& result);

}  // namespace opbench
