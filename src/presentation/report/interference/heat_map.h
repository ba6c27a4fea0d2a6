#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presentation/report/tables/text_table.h"

namespace opbench {

/// Slow-downs of rows beside columns.
struct HeatMap {
  std::string title;
  std::vector<std::string> rows;                          ///< with what tells them apart
  std::vector<std::string> columns;                       ///< short
  std::vector<std::vector<std::optional<double>>> cells;  ///< by row and column
};

/// A shade for a slow-down, from light to dark in steps at 1.02, 1.1, 1.25 and 1.5.
std::string heat_shade(double slowdown);

/// What the shades mean, in one line.
std::string heat_legend();

/// A shade and a number a cell; `-` where there is none.
TextTable heat_table(const HeatMap& map);

/// The same as a complete SVG 1.1 document. Numbers stand in the cells: colour alone says nothing.
std::string heat_svg(const HeatMap& map);

}  // namespace opbench
