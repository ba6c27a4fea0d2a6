#include "presentation/report/tables/text_table.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <optional>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"
#include "base/text/display_width.h"
#include "presentation/report/text/number_text.h"

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

size_t widest_word(const std::string& text) {
  size_t widest = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    widest = std::max(widest, display_width(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return widest;
}

/// Which columns may get narrower: those that say so, then those that do so last, then all
/// left-aligned ones.
enum class Shrinking { kFirst, kLast, kAll };

/// The narrowest width of a column; nothing: it stays as it is.
std::optional<size_t> least_width(const TextTable& table, size_t index, Shrinking how) {
  const TextColumn& column = table.columns[index];
  int least = column.shrinks_to;
  constexpr int kLeast = 8;
  if (how == Shrinking::kAll && !column.is_right_aligned)
    least = least > 0 ? std::min(least, kLeast) : kLeast;
  if (least == 0 || (how == Shrinking::kFirst && column.shrinks_last)) return {};
  size_t width =
      std::max({static_cast<size_t>(least), widest_word(column.header), widest_word(column.unit)});
  if (!column.is_right_aligned) return width;
  for (const TextRow& row : table.rows) width = std::max(width, display_width(row.cells[index]));
  return width;
}

/// Takes columns of width from those that may shrink, the widest first.
void shrink(const TextTable& table, size_t limit, Shrinking how, Plan& plan) {
  std::vector<std::optional<size_t>> least;
  for (size_t i = 0; i < table.columns.size(); ++i) least.push_back(least_width(table, i, how));
  for (size_t total = total_width(plan); total > limit; --total) {
    std::optional<size_t> widest;
    for (const size_t i : plan.columns) {
      if (!least[i] || plan.widths[i] <= *least[i]) continue;
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
  if (width == 0) return plan;
  const auto limit = static_cast<size_t>(std::abs(width));
  const std::vector<size_t> natural = plan.widths;
  while (true) {
    plan.widths = natural;
    shrink(table, limit, Shrinking::kFirst, plan);
    if (width < 0 || total_width(plan) <= limit) return plan;
    const std::optional<size_t> drop = next_to_drop(table, plan);
    if (!drop) {
      shrink(table, limit, Shrinking::kLast, plan);
      shrink(table, limit, Shrinking::kAll, plan);
      return plan;
    }
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

/// The length of the number that the text begins with; 0: it begins with none.
size_t number_length(std::string_view text) {
  const size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const size_t end = std::min(text.find_first_not_of("0123456789.", sign), text.size());
  if (end == sign || !std::isdigit(static_cast<unsigned char>(text[sign]))) return 0;
  const std::string_view rest = text.substr(end);
  if (rest.size() < 2 || rest[0] != 'e') return end;
  const size_t digits = rest[1] == '-' || rest[1] == '+' ? 2 : 1;
  const size_t last = std::min(rest.find_first_not_of("0123456789", digits), rest.size());
  return last == digits ? end : end + last;
}

std::string without_plus(std::string_view number) {
  return std::string(number.substr(number.starts_with('+') ? 1 : 0));
}

/// All numbers of a text.
std::vector<std::string> numbers_in(std::string_view text) {
  std::vector<std::string> numbers;
  while (!text.empty()) {
    const size_t length = number_length(text);
    if (length > 0) numbers.push_back(without_plus(text.substr(0, length)));
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return numbers;
}

/// `6.1` of `+6.1 %`, `1200` of `1.20 k`; other text as it is.
std::string plain_number(const std::string& cell) {
  struct Unit {
    std::string_view text;
    double factor;
  };
  constexpr Unit kUnits[] = {{"", 1},     {" %", 1},   {" ×", 1},   {" k", 1e3},
                             {" M", 1e6}, {" G", 1e9}, {" T", 1e12}};
  const size_t length = number_length(cell);
  const auto unit = std::ranges::find(kUnits, std::string_view(cell).substr(length), &Unit::text);
  if (length == 0 || unit == std::end(kUnits)) return cell;
  const std::string number = without_plus(std::string_view(cell).substr(0, length));
  const auto value = parse_number(number);
  return unit->factor == 1 || !value ? number : exact_text(*value * unit->factor);
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

TextTable table_for_programs(const TextTable& table) {
  TextTable plain;
  for (const TextColumn& column : table.columns) {
    if (column.numbers.empty()) plain.columns.push_back(column);
    for (const std::string& name : column.numbers) {
      plain.columns.push_back({.header = name, .is_right_aligned = true});
    }
  }
  for (const TextRow& row : table.rows) {
    TextRow& cells = plain.rows.emplace_back();
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const TextColumn& column = table.columns[i];
      if (column.numbers.empty()) {
        cells.cells.push_back(column.is_right_aligned ? plain_number(row.cells[i]) : row.cells[i]);
        continue;
      }
      std::vector<std::string> numbers = numbers_in(row.cells[i]);
      numbers.resize(column.numbers.size());
      cells.cells.insert(cells.cells.end(), numbers.begin(), numbers.end());
    }
  }
  return plain;
}

std::string csv_text(const TextTable& shown) {
  const TextTable table = table_for_programs(shown);
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
