#pragma once

#include <string>

#include "prediction/interference/interference_result.h"
#include "presentation/report/interference/heat_map.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// Units in rows and columns; without pairs: units and the probe beside the neighbour's levels. A
/// unit beside itself has the slow-down of the side that is slowed more, as in avoid_table.
HeatMap interference_map(const InterferenceResult& result);

/// A row a unit: what it is, times, share of its model, pressure.
TextTable unit_table(const InterferenceResult& result);

/// Pairs of which one is slowed above the threshold, the worst first.
TextTable avoid_table(const InterferenceResult& result);

/// How far forecasts are off, ours first.
TextTable forecast_table(const InterferenceResult& result);

/// A row a slow-down that was measured or should have been: for CSV.
TextTable slowdown_table(const InterferenceResult& result);

/// Everything for a terminal or a file. `width` as aligned_text.
std::string interference_text(const InterferenceResult& result, int width, const TextStyle& style);
std::string interference_markdown(const InterferenceResult& result);

}  // namespace opbench
