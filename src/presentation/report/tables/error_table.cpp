#include "presentation/report/tables/error_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"

namespace opbench {
namespace {

std::string error_text(const std::optional<double>& error) {
  if (!error) return "-";
  return std::isfinite(*error) ? fmt::format("{:.1e}", *error) : "wrong";
}

}  // namespace

TextTable error_table(const std::vector<UnitError>& errors) {
  TextTable table;
  table.columns = {{.header = "unit", .is_right_aligned = true},
                   {.header = "operator"},
                   {.header = "error", .is_right_aligned = true},
                   {.header = "allowed", .is_right_aligned = true},
                   {.header = ""},
                   {.header = "value", .shrinks_to = 12},
                   {.header = "nodes", .shrinks_to = 12, .drop_order = 1}};
  for (const UnitError& each : errors) {
    std::string verdict = each.exceeds() ? "beyond" : "";
    if (!each.error) verdict = printable(each.reason);
    table.rows.push_back({{std::to_string(each.unit), each.identity.operator_text,
                           error_text(each.error), error_text(each.allowed), verdict,
                           printable(each.value), printable(join(each.identity.nodes, " "))}});
  }
  return table;
}

std::string first_beyond_line(const std::vector<UnitError>& errors) {
  const UnitError* first = first_beyond(errors);
  if (first == nullptr) {
    const auto compared =
        std::ranges::count_if(errors, [](const UnitError& each) { return each.error.has_value(); });
    const size_t missing = errors.size() - static_cast<size_t>(compared);
    return fmt::format("errors: of {} unit{} none is beyond what is allowed{}\n", compared,
                       compared == 1 ? "" : "s",
                       missing == 0 ? "" : fmt::format("; {} could not be compared", missing));
  }
  std::string text = fmt::format("errors: the first unit beyond what is allowed is {}, {}",
                                 first->unit, first->identity.operator_text);
  if (!first->identity.nodes.empty())
    text += " (" + printable(join(first->identity.nodes, " ")) + ")";
  if (!first->reason.empty()) text += ": " + printable(first->reason);
  return text + "\n";
}

}  // namespace opbench
