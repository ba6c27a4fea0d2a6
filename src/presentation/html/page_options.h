#pragma once

#include <string>

namespace opbench {

/// How a page judges and what it calls its inputs.
struct PageOptions {
  double margin_percent = 2;  ///< smaller differences count as none
  std::string file;           ///< where the report was read from, for commands on the page
  std::string base_file;
};

}  // namespace opbench
