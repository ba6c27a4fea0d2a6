#include "presentation/cli/analysis/analysis_output.h"

#include <ostream>

#include "presentation/cli/analysis/terminal_chart.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/report/chart/chart_svg.h"

namespace opbench {

std::vector<OptionDef> chart_options() {
  return {{.name = "--chart",
           .value_name = "",
           .help = "draw the chart below the table even where stdout is no terminal",
           .kind = OptionKind::kSwitch},
          {.name = "--svg",
           .value_name = "FILE",
           .help = "write the chart there, as an SVG image",
           .is_settable = false,
           .file = FileUse::kWritten}};
}

Result<AnalysisOutput> analysis_output(const Arguments& arguments, const Terminal& terminal) {
  AnalysisOutput output;
  OPBENCH_TRY(output.format, format_of(arguments));
  output.output = arguments.value("--output");
  if (!output.output.empty()) OPBENCH_CHECK(check_writable(output.output, "--output"));
  output.svg = arguments.value("--svg");
  if (!output.svg.empty()) OPBENCH_CHECK(check_writable(output.svg, "--svg"));
  OPBENCH_TRY(const bool wants_chart, arguments.is_on("--chart"));
  if (wants_chart && (output.format == "json" || output.format == "csv")) {
    return Error{ErrorCode::kInvalidInput, "--chart does not go with --format " + output.format}
        .with("valid", "--format table or md; --svg FILE draws beside any format");
  }
  const bool is_shown = output.format == "table" && output.output.empty();
  output.has_chart = wants_chart || (is_shown && terminal.is_out_tty);
  return output;
}

Result<void> write_analysis(const std::string& text, const Chart& chart,
                            const AnalysisOutput& output, Terminal& terminal) {
  std::string whole = text;
  const std::string drawn = output.has_chart ? terminal_chart(chart, terminal) : "";
  if (!drawn.empty()) whole += output.format == "md" ? "\n```\n" + drawn + "```\n" : "\n" + drawn;
  if (output.output.empty()) {
    terminal.out << whole << std::flush;
  } else {
    OPBENCH_CHECK(write_output(output.output, whole));
  }
  if (output.svg.empty()) return {};
  return write_output(output.svg, chart_svg(chart));
}

}  // namespace opbench
