#pragma once

#include <string>
#include <vector>

#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"
#include "presentation/report/chart/chart.h"

namespace opbench {

/// Where the report of an analysis goes, and what is drawn beside it.
struct AnalysisOutput {
  std::string format = "table";  ///< table, json, csv, md
  std::string output;            ///< empty: stdout
  std::string svg;               ///< empty: none
  bool has_chart = false;        ///< below the table
};

/// --chart and --svg.
std::vector<OptionDef> chart_options();

/// From --format, --output, --chart and --svg. `kInvalidInput` for what does not go together or
/// cannot be written.
Result<AnalysisOutput> analysis_output(const Arguments& arguments, const Terminal& terminal);

/// Writes a finished report, then the chart below it and the SVG image, as `output` says. A chart
/// without points is left out.
Result<void> write_analysis(const std::string& text, const Chart& chart,
                            const AnalysisOutput& output, Terminal& terminal);

}  // namespace opbench
