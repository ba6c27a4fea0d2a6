#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/tables/table.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/settings.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// A command line that a user may copy, and what it does.
struct Example {
  std::string command;
  std::string effect;
};

/// What a command gets to work with.
struct Invocation {
  Arguments arguments;
  Settings settings;
  std::vector<std::string> argv;  ///< the whole command line, for records
};

/// One command: what it takes and what it does. Its help is made from these fields.
struct CommandDef {
  std::string name;
  std::string summary;
  std::vector<PositionalDef> positionals = {};
  std::vector<OptionDef> options = {};
  std::vector<Example> examples = {};
  std::string notes = {};  ///< printed at the end of the help, as it stands
  bool is_hidden = false;  ///< not for users: left out of the help
  int help_rank = 100;     ///< where it stands in the help of the program: lowest first

  /// Data go to `terminal.out`, everything else to `terminal.err`. An error ends the program with
  /// its code.
  Result<void> (*run)(const Invocation&, Terminal& terminal) = nullptr;
};

/// Every command, from the files `commands/<x>_command.cpp`.
const Table<CommandDef>& command_table();

}  // namespace opbench
