#include "presentation/cli/help_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "presentation/report/text_style.h"

namespace opbench {
namespace {

constexpr size_t kHelpColumn = 28;

/// `left`, then the lines of `right` from a fixed column on, the first on the next line when `left`
/// is too long.
std::string entry(const std::string& left, std::string right, size_t column = kHelpColumn) {
  for (size_t end = right.find('\n'); end != right.npos; end = right.find('\n', end + 1)) {
    right.insert(end + 1, column, ' ');
  }
  if (left.size() + 4 > column) {
    return fmt::format("  {}\n{:{}}{}\n", left, "", column, right);
  }
  return fmt::format("  {:<{}}{}\n", left, column - 2, right);
}

std::string option_entry(const OptionDef& option) {
  std::string left = option.short_name.empty() ? "" : option.short_name + ", ";
  left += option.name;
  if (!option.value_name.empty()) left += " " + option.value_name;
  std::string right = option.help;
  if (!option.otherwise.empty()) right += fmt::format(" (default {})", option.otherwise);
  return entry(left, right);
}

std::string usage(const CommandDef& command) {
  std::string text = "opbench " + command.name;
  for (const PositionalDef& positional : command.positionals) {
    const std::string name = positional.name + (positional.repeats ? "…" : "");
    text += positional.is_required ? " " + name : " [" + name + "]";
  }
  return text + " [OPTION…]";
}

std::string examples_text(const std::vector<Example>& examples, const TextStyle& style) {
  std::string text;
  for (const Example& example : examples) {
    text += "  " + example.command + "\n";
    if (!example.effect.empty()) text += "      " + style.dim(example.effect) + "\n";
  }
  return text;
}

/// A line each.
std::string summaries(const std::vector<CommandDef>& commands) {
  size_t widest = 0;
  for (const CommandDef& command : commands) widest = std::max(widest, command.name.size());
  std::string text;
  for (const CommandDef& command : commands) {
    text += entry(command.name, command.summary, widest + 4);
  }
  return text;
}

/// The visible ones, those of two words as one for each first word, which names the second ones.
std::vector<CommandDef> with_groups_joined(const std::vector<CommandDef>& commands) {
  std::vector<CommandDef> joined;
  for (const CommandDef& command : commands) {
    if (command.is_hidden) continue;
    const size_t space = command.name.find(' ');
    const std::string word = command.name.substr(0, space);
    const auto same = std::ranges::find(joined, word, &CommandDef::name);
    if (space == std::string::npos || same == joined.end()) {
      joined.push_back(command);
      if (space == std::string::npos) continue;
      joined.back().name = word;
      joined.back().summary = command.name.substr(space + 1);
    } else {
      same->summary += ", " + command.name.substr(space + 1);
    }
  }
  return joined;
}

}  // namespace

const std::vector<OptionDef>& common_options() {
  static const std::vector<OptionDef> kOptions = {
      {.name = "--quiet",
       .value_name = "",
       .help = "no progress and no hints on stderr; OPBENCH_PROGRESS=never: no progress",
       .short_name = "-q",
       .kind = OptionKind::kSwitch},
      {.name = "--color",
       .value_name = "WHEN",
       .help = "auto, always or never",
       .otherwise = "auto"},
      {.name = "--help",
       .value_name = "",
       .help = "print this text",
       .short_name = "-h",
       .kind = OptionKind::kSwitch},
      {.name = "--version",
       .value_name = "",
       .help = "print the version",
       .kind = OptionKind::kSwitch},
  };
  return kOptions;
}

std::string program_help(std::vector<CommandDef> commands, bool has_colour) {
  std::ranges::stable_sort(commands, {}, &CommandDef::help_rank);
  const std::vector<CommandDef> entries = with_groups_joined(commands);
  const TextStyle style{has_colour};
  std::string text = "OpBench measures the operators of deep-learning models on this machine.\n\n";
  text += style.bold("Examples") + "\n";
  for (const CommandDef& command : entries) {
    if (!command.examples.empty()) text += "  " + command.examples.front().command + "\n";
  }
  text += "\n" + style.bold("Commands") + "\n" + summaries(entries);
  text +=
      "\n`opbench COMMAND --help` says more about one; `opbench --version` prints the version.\n";
  text +=
      "Defaults of options and further engines: [defaults] and [engine.NAME] in opbench.toml,\n";
  text += "in this folder or above it, or in ~/.config/opbench/config.toml.\n";
  return text;
}

std::string group_help(const std::string& word, const std::vector<CommandDef>& commands,
                       bool has_colour) {
  const TextStyle style{has_colour};
  std::string text = style.bold("Examples") + "\n";
  for (const CommandDef& command : commands) {
    if (!command.examples.empty()) text += "  " + command.examples.front().command + "\n";
  }
  text += "\n" + style.bold("Commands") + "\n" + summaries(commands);
  return text + "\n`opbench " + word + " VERB --help` says more about one.\n";
}

std::string command_help(const CommandDef& command, bool has_colour) {
  const TextStyle style{has_colour};
  std::string text = command.summary + "\n\n";
  if (!command.examples.empty()) {
    text += style.bold("Examples") + "\n" + examples_text(command.examples, style) + "\n";
  }
  text += style.bold("Usage") + "\n  " + usage(command) + "\n";
  if (!command.positionals.empty()) text += "\n" + style.bold("Arguments") + "\n";
  for (const PositionalDef& positional : command.positionals) {
    text += entry(positional.name, positional.help);
  }
  text += "\n" + style.bold("Options") + "\n";
  for (const OptionDef& option : command.options) {
    if (!option.is_hidden) text += option_entry(option);
  }
  for (const OptionDef& option : common_options()) text += option_entry(option);
  if (!command.notes.empty()) text += "\n" + command.notes + "\n";
  return text;
}

}  // namespace opbench
