#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

struct CsvLine {
  int64_t number = 0;  ///< of its first line in the text; 1 is the first
  std::vector<std::string> cells;
};

/// Lines of comma-separated values (RFC 4180): cells in double quotes may hold commas, line ends
/// and doubled quotes. A header without a comma that has semicolons or tabs makes these the
/// separator. Blank lines are left out. `kInvalidInput` for a quote that does not end, and for a
/// line with another number of cells than the first.
Result<std::vector<CsvLine>> csv_lines(std::string_view text);

}  // namespace opbench
