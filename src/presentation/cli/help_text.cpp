#include "presentation/cli/help_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text/display_width.h"
#include "presentation/report/text/text_style.h"

namespace opbench {
namespace {

constexpr size_t kHelpColumn = 28;
constexpr int kUsualColumns = 80;
constexpr int kMostColumns = 100;  ///< longer lines are hard to read

size_t columns_of(const HelpForm& form) {
  const int width = form.width > 0 ? form.width : kUsualColumns;
  return static_cast<size_t>(std::clamp(width, static_cast<int>(kHelpColumn) * 2, kMostColumns));
}

/// The text, broken before `columns`; every line but the first begins with `indent` spaces. A line
/// break of the text itself stays where a list or an empty line follows.
std::string broken(const std::string& text, size_t indent, size_t columns) {
  std::string flowing = text;
  for (size_t end = flowing.find('\n'); end != flowing.npos; end = flowing.find('\n', end + 1)) {
    const bool is_kept = end + 1 >= flowing.size() || end == 0 || flowing[end - 1] == '\n' ||
                         std::string_view(" \n-").find(flowing[end + 1]) != std::string_view::npos;
    if (!is_kept) flowing[end] = ' ';
  }
  std::string result;
  for (size_t begin = 0; begin <= flowing.size();) {
    const size_t end = std::min(flowing.find('\n', begin), flowing.size());
    for (const std::string& line : wrapped(flowing.substr(begin, end - begin), columns - indent)) {
      if (!result.empty()) result += "\n" + (line.empty() ? "" : std::string(indent, ' '));
      result += line;
    }
    begin = end + 1;
  }
  return result;
}

/// `left`, then the lines of `right` from a fixed column on, the first on the next line when `left`
/// is too long. `end` stays whole, on the last line or on one of its own.
std::string entry(const std::string& left, const std::string& right, size_t columns,
                  size_t column = kHelpColumn, const std::string& end = {}) {
  std::string text = broken(right, column, columns);
  if (!end.empty()) {
    const size_t line = text.rfind('\n');
    const size_t width =
        line == text.npos ? column + display_width(text) : display_width(text.substr(line + 1));
    const bool has_room = width + 1 + display_width(end) <= columns;
    text += (has_room ? " " : "\n" + std::string(column, ' ')) + end;
  }
  if (display_width(left) + 4 > column) {
    return fmt::format("  {}\n{:{}}{}\n", left, "", column, text);
  }
  return fmt::format("  {}{}\n", pad_right(left, column - 2), text);
}

std::string option_entry(const OptionDef& option, size_t columns) {
  std::string left = option.short_name.empty() ? "" : option.short_name + ", ";
  left += option.name;
  if (!option.value_name.empty()) left += " " + option.value_name;
  if (option.otherwise.empty()) return entry(left, option.help, columns);
  return entry(left, option.help, columns, kHelpColumn,
               fmt::format("(default {})", option.otherwise));
}

std::string usage(const CommandDef& command) {
  std::string text = "opbench " + command.name;
  for (const PositionalDef& positional : command.positionals) {
    const std::string name = positional.name + (positional.repeats ? "…" : "");
    text += positional.is_required ? " " + name : " [" + name + "]";
  }
  return text + " [OPTION…]";
}

/// A command line to copy, in lines that end with a backslash where it is longer than `columns`;
/// quoted words stay whole.
std::string command_lines(const std::string& command, size_t columns) {
  constexpr size_t kIndent = 2;
  constexpr const char* kNext = " \\\n      ";
  std::string text(kIndent, ' ');
  size_t line = kIndent;
  char quote = 0;
  for (size_t begin = 0; begin < command.size();) {
    size_t end = begin;
    for (; end < command.size() && (quote != 0 || end == begin || command[end] != ' '); ++end) {
      const char c = command[end];
      if (quote == 0 && (c == '\'' || c == '"'))
        quote = c;
      else if (c == quote)
        quote = 0;
    }
    std::string word = command.substr(begin, end - begin);
    const bool is_long = line > kIndent && line + display_width(word) + 2 > columns;
    if (is_long) {
      text += kNext;
      line = 6;
      word.erase(0, word.find_first_not_of(' '));
    }
    text += word;
    line += display_width(word);
    begin = end;
  }
  return text + "\n";
}

std::string examples_text(const std::vector<Example>& examples, const TextStyle& style,
                          size_t columns) {
  std::string text;
  for (const Example& example : examples) {
    text += command_lines(example.command, columns);
    if (example.effect.empty()) continue;
    text += "      " + style.dim(broken(example.effect, 6, columns)) + "\n";
  }
  return text;
}

/// An entry each.
std::string summaries(const std::vector<CommandDef>& commands, size_t columns) {
  size_t widest = 0;
  for (const CommandDef& command : commands) widest = std::max(widest, command.name.size());
  std::string text;
  for (const CommandDef& command : commands) {
    text += entry(command.name, command.summary, columns, widest + 4);
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

std::string program_help(std::vector<CommandDef> commands, const HelpForm& form) {
  std::ranges::stable_sort(commands, {}, &CommandDef::help_rank);
  const std::vector<CommandDef> entries = with_groups_joined(commands);
  const TextStyle style{form.has_colour};
  const size_t columns = columns_of(form);
  std::string text =
      broken("OpBench measures the operators of deep-learning models on this machine.", 0,
             columns) +
      "\n\n";
  text += style.bold("Examples") + "\n";
  for (const CommandDef& command : entries) {
    if (!command.examples.empty()) text += command_lines(command.examples.front().command, columns);
  }
  text += "\n" + style.bold("Commands") + "\n" + summaries(entries, columns);
  text += "\n" + broken(
                     "`opbench COMMAND --help` says more about one; `opbench --version` prints "
                     "the version.\n\nDefaults of options and further engines: [defaults] and "
                     "[engine.NAME] in opbench.toml, in this folder or above it, or in "
                     "~/.config/opbench/config.toml.",
                     0, columns);
  return text + "\n";
}

std::string group_help(const std::string& word, const std::vector<CommandDef>& commands,
                       const HelpForm& form) {
  const TextStyle style{form.has_colour};
  std::string text = style.bold("Examples") + "\n";
  for (const CommandDef& command : commands) {
    if (!command.examples.empty()) {
      text += command_lines(command.examples.front().command, columns_of(form));
    }
  }
  text += "\n" + style.bold("Commands") + "\n" + summaries(commands, columns_of(form));
  return text + "\n`opbench " + word + " VERB --help` says more about one.\n";
}

std::string command_help(const CommandDef& command, const std::vector<CommandDef>& verbs,
                         const HelpForm& form) {
  const TextStyle style{form.has_colour};
  const size_t columns = columns_of(form);
  std::string text = broken(command.summary, 0, columns) + "\n\n";
  if (!command.examples.empty()) {
    text += style.bold("Examples") + "\n" + examples_text(command.examples, style, columns) + "\n";
  }
  text += style.bold("Usage") + "\n  " + usage(command) + "\n";
  if (!command.positionals.empty()) text += "\n" + style.bold("Arguments") + "\n";
  for (const PositionalDef& positional : command.positionals) {
    text += entry(positional.name, positional.help, columns);
  }
  text += "\n" + style.bold("Options") + "\n";
  for (const OptionDef& option : command.options) {
    if (!option.is_hidden) text += option_entry(option, columns);
  }
  for (const OptionDef& option : common_options()) text += option_entry(option, columns);
  if (!verbs.empty()) {
    text += "\n" + style.bold("Commands") + "\n" + summaries(verbs, columns);
    text += "\n`opbench " + command.name + " VERB --help` says more about one.\n";
  }
  if (!command.notes.empty()) text += "\n" + broken(command.notes, 0, columns) + "\n";
  return text;
}

}  // namespace opbench
