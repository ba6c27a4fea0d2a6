#pragma once

#include <string>

#include "presentation/report/chart/chart.h"

namespace opbench {

struct ChartTextOptions {
  int width = 72;   ///< columns, at least 30
  int height = 12;  ///< rows of the plot itself
  bool is_unicode = true;
};

/// The chart in characters: a mark of its own for each series, dots between its points, both axes
/// with ticks, below it which mark is which. Empty when there is nothing to draw.
std::string chart_text(const Chart& chart, const ChartTextOptions& options);

}  // namespace opbench
