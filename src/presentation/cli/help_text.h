#pragma once

#include <string>
#include <vector>

#include "presentation/cli/command.h"

namespace opbench {

/// The whole program: examples first, then every command.
std::string program_help(std::vector<CommandDef> commands, bool has_colour);

/// The commands of two words that begin with `word`.
std::string group_help(const std::string& word, const std::vector<CommandDef>& commands,
                       bool has_colour);

/// One command: what it does, examples, arguments, options.
std::string command_help(const CommandDef& command, bool has_colour);

/// What every command takes: --help, --version, --color, --quiet.
const std::vector<OptionDef>& common_options();

}  // namespace opbench
