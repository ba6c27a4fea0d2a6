#pragma once

#include "presentation/cli/command.h"

namespace opbench {

/// --errors: the error of each unit, of commands that check units.
inline OptionDef errors_option() {
  return {.name = "--errors",
          .value_name = "",
          .help =
              "show the error of each unit against the references in double precision, beside "
              "what it may have",
          .kind = OptionKind::kSwitch};
}

}  // namespace opbench
