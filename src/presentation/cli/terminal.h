#pragma once

#include <iosfwd>
#include <string>

#include "base/errors/error.h"

namespace opbench {

/// Where a command writes, and what can be shown there.
struct Terminal {
  std::ostream& out;  ///< data
  std::ostream& err;  ///< everything else
  bool is_out_tty = false;
  bool is_err_tty = false;
  bool has_colour = false;  ///< on `out`
  bool has_err_colour = false;
  int width = 0;          ///< columns of `out`; below 0: a wish, as of a pipe; 0: no limit
  int err_width = 0;      ///< columns of `err`; 0: not known
  bool is_quiet = false;  ///< only errors on `err`
};

/// The real one: colour by `when` (auto, always, never), NO_COLOR, CLICOLOR_FORCE and TERM=dumb.
Terminal standard_terminal();

/// Decides about colour. `kInvalidInput` for a word other than auto, always, never.
Result<void> set_colour(Terminal& terminal, const std::string& when);

}  // namespace opbench
