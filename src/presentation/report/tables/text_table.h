#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

struct TextColumn {
  std::string header;
  bool is_right_aligned = false;
  int shrinks_to = 0;     ///< narrowest width, longer cells go on in further lines; 0: as they are,
                          ///< unless nothing is left to leave out
  int drop_order = 0;     ///< 1 is left out first when the terminal is too narrow; 0: never
  std::string unit = {};  ///< a second line of the header
  bool shrinks_last = false;  ///< once no column is left to leave out
  /// Of cells that hold several numbers: the columns that programs get for them, in this order.
  std::vector<std::string> numbers = {};
};

struct TextRow {
  std::vector<std::string> cells;       ///< one a column
  std::vector<std::string> below = {};  ///< lines of their own, indented and as long as they are
  bool is_emphasised = false;
};

/// Text in rows and columns, for a terminal or a file.
struct TextTable {
  std::vector<TextColumn> columns;
  std::vector<TextRow> rows;
};

/// Aligned with spaces. When `width` is above 0 and too small, cells of columns that shrink are
/// broken into lines, then columns are left out; a last line names those. If that is not enough,
/// the cells of all left-aligned columns are broken. Words of a header and numbers stay whole.
/// A `width` below 0 is a wish: cells are broken for it, and no column is left out.
std::string aligned_text(const TextTable& table, int width, const TextStyle& style);

/// A Markdown table; `below` is left out.
std::string markdown_text(const TextTable& table);

/// The table for programs: a cell holds one number at most. Numbers of right-aligned columns stand
/// without their unit (`+6.1 %`: 6.1; `1.20 k`: 1200), columns of several numbers become several.
TextTable table_for_programs(const TextTable& table);

/// RFC 4180 with a header line and \n, of table_for_programs; `below` is left out. Headers are the
/// columns' `header`.
std::string csv_text(const TextTable& table);

/// The formats of tables: table, md, csv. `kInvalidInput` for another word.
Result<std::string> formatted_text(const TextTable& table, std::string_view format, int width,
                                   const TextStyle& style);

}  // namespace opbench
