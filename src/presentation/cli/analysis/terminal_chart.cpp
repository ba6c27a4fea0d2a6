#include "presentation/cli/analysis/terminal_chart.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "presentation/report/chart/chart_text.h"

namespace opbench {
namespace {

std::string_view terminal_chart_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// As the C library decides: the first of these that is set counts.
bool prints_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = terminal_chart_variable(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos ||
           value.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

std::string terminal_chart(const Chart& chart, const Terminal& terminal) {
  constexpr int kWidest = 100;
  ChartTextOptions options;
  options.is_unicode = prints_unicode();
  if (terminal.width > 0) options.width = std::min(terminal.width, kWidest);
  return chart_text(chart, options);
}

}  // namespace opbench
