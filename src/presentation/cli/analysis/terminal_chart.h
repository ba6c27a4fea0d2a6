#pragma once

#include <string>

#include "presentation/cli/terminal.h"
#include "presentation/report/chart/chart.h"

namespace opbench {

/// The chart in characters, as wide as the terminal, up to 100 columns; in ASCII where the locale
/// is not UTF-8.
std::string terminal_chart(const Chart& chart, const Terminal& terminal);

}  // namespace opbench
