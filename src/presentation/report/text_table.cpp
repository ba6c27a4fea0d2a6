#include "presentation/report/text_table.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"

namespace opbench {
namespace {

constexpr size_t kGap = 2;

/// Which columns are shown, and how wide.
struct Plan {
  std::vector<size_t> columns;
  std::vector<size_t> widths;  ///< by column of the table
};

std::vector<size_t> natural_widths(const TextTable& table) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const TextColumn& column = table.columns[i];
    size_t width = std::max(display_width(column.header), display_width(column.unit));
    for (const TextRow& row : table.rows) width = std::max(width, display_width(row.cells[i]));
    widths.push_back(width);
  }
  return widths;
}

size_t total_width(const Plan& plan) {
  size_t total = plan.columns.empty() ? 0 : (plan.columns.size() - 1) * kGap;
  for (const size_t i : plan.columns) total += plan.widths[i];
  return total;
}

/// Takes columns of width from those that may shrink, the widest first.
void shrink(const TextTable& table, size_t limit, Plan& plan) {
  for (size_t total = total_width(plan); total > limit; --total) {
    std::optional<size_t> widest;
    for (const size_t i : plan.columns) {
      const TextColumn& column = table.columns[i];
      if (column.shrinks_to == 0) continue;
      const auto least =
          std::max(static_cast<size_t>(column.shrinks_to),
                   std::max(display_width(column.header), display_width(column.unit)));
      if (plan.widths[i] <= least) continue;
      if (!widest || plan.widths[i] > plan.widths[*widest]) widest = i;
    }
    if (!widest) return;
    --plan.widths[*widest];
  }
}

/// The column to leave out next, as an index into `plan.columns`.
std::optional<size_t> next_to_drop(const TextTable& table, const Plan& plan) {
  std::optional<size_t> next;
  for (size_t at = 0; at < plan.columns.size(); ++at) {
    const int order = table.columns[plan.columns[at]].drop_order;
    if (order == 0) continue;
    if (!next || order < table.columns[plan.columns[*next]].drop_order) next = at;
  }
  return next;
}

Plan plan_columns(const TextTable& table, int width) {
  Plan plan{std::vector<size_t>(table.columns.size()), natural_widths(table)};
  std::iota(plan.columns.begin(), plan.columns.end(), size_t{0});
  if (width <= 0) return plan;
  const auto limit = static_cast<size_t>(width);
  const std::vector<size_t> natural = plan.widths;
  while (true) {
    plan.widths = natural;
    shrink(table, limit, plan);
    if (total_width(plan) <= limit) return plan;
    const std::optional<size_t> drop = next_to_drop(table, plan);
    if (!drop) return plan;
    plan.columns.erase(plan.columns.begin() + static_cast<std::ptrdiff_t>(*drop));
  }
}

/// The cells of a row in as many lines as the longest of them needs.
std::string lines_of(const TextTable& table, const Plan& plan,
                     const std::vector<std::string>& cells) {
  std::vector<std::vector<std::string>> parts;
  size_t height = 1;
  for (const size_t i : plan.columns) {
    parts.push_back(wrapped(cells[i], std::max<size_t>(1, plan.widths[i])));
    height = std::max(height, parts.back().size());
  }
  std::string text;
  for (size_t row = 0; row < height; ++row) {
    if (row > 0) text += '\n';
    for (size_t at = 0; at < plan.columns.size(); ++at) {
      const size_t i = plan.columns[at];
      const std::string part = row < parts[at].size() ? parts[at][row] : std::string();
      if (at > 0) text.append(kGap, ' ');
      text += table.columns[i].is_right_aligned ? pad_left(part, plan.widths[i])
                                                : pad_right(part, plan.widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
  }
  return text;
}

std::string hidden_columns(const TextTable& table, const Plan& plan) {
  std::vector<std::string> names;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (std::ranges::find(plan.columns, i) == plan.columns.end()) {
      names.push_back(table.columns[i].header);
    }
  }
  return names.empty() ? "" : "(too narrow for: " + join(names) + ")";
}

std::string quoted_csv(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string escaped_cell(const std::string& cell) {
  std::string text;
  for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
  return text;
}

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + escaped_cell(cell) + " |";
  return text + "\n";
}

}  // namespace

std::string aligned_text(const TextTable& table, int width, const TextStyle& style) {
  const Plan plan = plan_columns(table, width);
  std::vector<std::string> headers;
  std::vector<std::string> units;
  for (const TextColumn& column : table.columns) {
    headers.push_back(column.header);
    units.push_back(column.unit);
  }
  std::string text = style.bold(lines_of(table, plan, headers)) + "\n";
  if (std::ranges::any_of(units, [](const std::string& unit) { return !unit.empty(); })) {
    text += style.dim(lines_of(table, plan, units)) + "\n";
  }
  for (const TextRow& row : table.rows) {
    const std::string cells = lines_of(table, plan, row.cells);
    text += (row.is_emphasised ? style.bold(cells) : cells) + "\n";
    for (const std::string& below : row.below) text += "    " + style.dim(below) + "\n";
  }
  const std::string hidden = hidden_columns(table, plan);
  return hidden.empty() ? text : text + style.dim(hidden) + "\n";
}

std::string markdown_text(const TextTable& table) {
  std::vector<std::string> headers;
  std::string rule = "|";
  for (const TextColumn& column : table.columns) {
    headers.push_back(column.unit.empty() ? column.header : column.header + " " + column.unit);
    rule += column.is_right_aligned ? " --: |" : " --- |";
  }
  std::string text = markdown_line(headers) + rule + "\n";
  for (const TextRow& row : table.rows) text += markdown_line(row.cells);
  return text;
}

std::string csv_text(const TextTable& table) {
  std::vector<std::string> cells;
  for (const TextColumn& column : table.columns) cells.push_back(quoted_csv(column.header));
  std::string text = join(cells, ",") + "\n";
  for (const TextRow& row : table.rows) {
    cells.clear();
    for (const std::string& cell : row.cells) cells.push_back(quoted_csv(cell));
    text += join(cells, ",") + "\n";
  }
  return text;
}

Result<std::string> formatted_text(const TextTable& table, std::string_view format, int width,
                                   const TextStyle& style) {
  if (format == "table") return aligned_text(table, width, style);
  if (format == "md") return markdown_text(table);
  if (format == "csv") return csv_text(table);
  return unknown_name("format", format, {"table", "md", "csv"});
}

}  // namespace opbench
