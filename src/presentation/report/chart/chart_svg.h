#pragma once

#include <string>

#include "presentation/report/chart/chart.h"

namespace opbench {

/// The chart as a complete SVG 1.1 document: lines with whiskers at every point, points side by
/// side above categories. Marks differ by form as well as by colour (Okabe and Ito 2008), and the
/// picture follows the reader's light or dark theme.
std::string chart_svg(const Chart& chart);

}  // namespace opbench
