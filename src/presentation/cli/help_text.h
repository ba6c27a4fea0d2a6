#pragma once

#include <string>
#include <vector>

#include "presentation/cli/command.h"

namespace opbench {

/// What help may look like.
struct HelpForm {
  bool has_colour = false;
  int width = 0;  ///< columns; 0: those of a usual terminal
};

/// The whole program: examples first, then every command.
std::string program_help(std::vector<CommandDef> commands, const HelpForm& form);

/// The commands of two words that begin with `word`.
std::string group_help(const std::string& word, const std::vector<CommandDef>& commands,
                       const HelpForm& form);

/// One command: what it does, examples, arguments, options, and the commands of two words that
/// begin with its name.
std::string command_help(const CommandDef& command, const std::vector<CommandDef>& verbs,
                         const HelpForm& form);

/// What every command takes: --help, --version, --color, --quiet.
const std::vector<OptionDef>& common_options();

}  // namespace opbench
