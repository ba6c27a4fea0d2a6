#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "presentation/html/page_rows.h"

namespace opbench {

/// `<details>` around a section, open or closed. `title` is text, `body` HTML.
std::string section_html(std::string_view id, std::string_view title, std::string_view remark,
                         std::string_view body, bool is_open = true);

/// A paragraph of text.
std::string paragraph_html(std::string_view text, std::string_view style = "");

/// A cell of a table: `figure` of this side, below it that of the base where there is one; `label`
/// is the column's name on narrow screens, `sort` the value to sort by. All are text.
struct FigureCell {
  std::string label;
  std::string figure;
  std::optional<std::string> base = {};
  std::optional<double> sort = {};
};
std::string figure_html(const FigureCell& cell);

/// `▲ slower`, `▼ faster`, `= same`, `? inconclusive`: a sign and a word, coloured; `no verdict`
/// for none.
std::string verdict_html(const std::optional<Verdict>& verdict);

/// `+12.3 %`
std::string change_text(double ratio);

/// `+12.3 % [+9.8, +15.1]`; a ratio without an interval has the first part only.
std::string ratio_text(const Ratio& ratio);

/// `±1.2 %`; empty for none.
std::string spread_text(const std::optional<PageTime>& time);

/// Milliseconds, or `-`.
std::string page_ms_text(const std::optional<PageTime>& time);

/// The command as text that one click selects.
std::string command_html(std::string_view command);

}  // namespace opbench
