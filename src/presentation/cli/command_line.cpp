#include "presentation/cli/command_line.h"

#include <algorithm>
#include <exception>
#include <new>
#include <ostream>
#include <set>

#include "base/errors/suggestion.h"
#include "base/system/process_limits.h"
#include "machine/settings/setting_journal.h"
#include "machine/target/cpu_cap.h"
#include "presentation/cli/command.h"
#include "presentation/cli/help_text.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/seed/seed_arguments.h"

namespace opbench {
namespace {

using CommandLineWords = std::vector<std::string>;

bool contains(const CommandLineWords& words, std::string_view word) {
  const auto end = std::ranges::find(words, "--");
  return std::find(words.begin(), end, word) != end;
}

/// Names, without dashes, that `[defaults]` may hold: the options of all commands.
CommandLineWords settable_options() {
  std::set<std::string> names = {"color", "quiet"};
  for (const CommandDef& command : command_table().all()) {
    if (command.is_hidden) continue;
    for (const OptionDef& option : command.options) {
      if (!option.is_hidden && option.missing.empty()) names.insert(option.name.substr(2));
    }
  }
  return {names.begin(), names.end()};
}

/// First words of their names, each once.
CommandLineWords visible_commands() {
  CommandLineWords names;
  for (const CommandDef& command : command_table().all()) {
    const std::string word = command.name.substr(0, command.name.find(' '));
    if (!command.is_hidden && !contains(names, word)) names.push_back(word);
  }
  return names;
}

/// The commands `<word> <verb>`; none if there are no verbs.
std::vector<CommandDef> group_of(const std::string& word) {
  std::vector<CommandDef> commands;
  for (const CommandDef& command : command_table().all()) {
    if (!command.is_hidden && command.name.starts_with(word + " ")) commands.push_back(command);
  }
  return commands;
}

/// The group and before it the command that its word is, if any.
std::vector<CommandDef> with_own(const std::string& word, std::vector<CommandDef> group) {
  const auto own = command_table().find(word);
  if (own) group.insert(group.begin(), **own);
  return group;
}

Result<const CommandDef*> find_command_line_command(const std::string& name) {
  Result<const CommandDef*> command = command_table().find(name);
  if (!command) return unknown_name("command", name, visible_commands());
  return command;
}

/// `verb` of the group `word`.
Result<const CommandDef*> find_verb(const std::string& word, const std::string& verb) {
  Result<const CommandDef*> command = command_table().find(word + " " + verb);
  if (command) return command;
  CommandLineWords verbs;
  for (const CommandDef& known : group_of(word)) {
    verbs.push_back(known.name.substr(word.size() + 1));
  }
  return unknown_name(word + " verb", verb, verbs);
}

/// A group may be a command itself (`predict MODEL`), for which any other word is an argument.
bool is_command(const std::string& name) { return command_table().find(name).has_value(); }

HelpForm help_form(const Terminal& terminal) {
  return {.has_colour = terminal.has_colour, .width = terminal.width};
}

bool is_help(const std::string& word) { return word == "--help" || word == "-h" || word == "help"; }

/// What a run that was killed has left of the machine's settings.
void put_back_settings(Terminal& terminal) {
  SettingFiles files = SettingFiles::of_machine();
  const Result<HealedSettings> healed = heal_settings(files);
  if (!healed) {
    terminal.err << "warning: " << to_text(healed.error()).substr(std::string("error: ").size());
    return;
  }
  for (const HeldSetting& held : healed->restored) {
    terminal.err << "note: " << held.setting << " is \"" << held.before
                 << "\" again; a run that was killed (process " << held.owner.process
                 << ") had left it at \"" << held.value << "\"\n";
  }
  for (const auto& [held, reason] : healed->left) {
    terminal.err << "warning: " << held.setting << " is still \"" << held.value
                 << "\", as a run that was killed (process " << held.owner.process
                 << ") has left it\n  reason: " << reason
                 << "\n  then: any command, with the rights of that run, puts it back\n";
  }
}

Result<void> run_parsed(const CommandDef& command, const Invocation& invocation,
                        Terminal& terminal) {
  OPBENCH_CHECK(set_colour(terminal, invocation.arguments.value("--color")));
  OPBENCH_TRY(terminal.is_quiet, invocation.arguments.is_on("--quiet"));
  OPBENCH_CHECK(check_outputs(invocation.arguments.files()));
  return command.run(invocation, terminal);
}

Result<void> run_command(const CommandDef& command, const CommandLineWords& words,
                         const CommandLineWords& argv, Terminal& terminal) {
  if (contains(words, "--help") || contains(words, "-h")) {
    terminal.out << command_help(command, group_of(command.name), help_form(terminal));
    return {};
  }
  OPBENCH_CHECK(check_cpu_cap());
  if (!command.is_hidden) end_when_interrupted();
  if (!command.is_hidden) put_back_settings(terminal);
  std::vector<OptionDef> options = command.options;
  options.insert(options.end(), common_options().begin(), common_options().end());
  OPBENCH_TRY(Arguments arguments, Arguments::parse(words, command.positionals, options));
  Settings settings;
  if (!command.is_hidden) {
    OPBENCH_TRY(settings, read_settings(settable_options()));
  }
  for (const auto& [name, values] : settings.defaults) {
    OPBENCH_CHECK(arguments.set_if_absent("--" + name, values, settings.places.at(name)));
  }
  const Invocation invocation{std::move(arguments), std::move(settings), argv};
  const Result<void> done = run_parsed(command, invocation, terminal);
  if (!done) return invocation.arguments.with_place(done.error());
  return {};
}

}  // namespace

Result<void> run_line(const CommandLineWords& argv, Terminal& terminal) {
  CommandLineWords words(argv.begin() + std::min<std::ptrdiff_t>(1, std::ssize(argv)), argv.end());
  if (words.empty()) {
    return Error{ErrorCode::kInvalidInput, "no command given"}
        .with("known", join(visible_commands()))
        .with("help", "opbench --help");
  }
  if (words[0] == "--version") {
    terminal.out << "opbench " << OPBENCH_VERSION << "\n";
    return {};
  }
  if (words[0] == "help" && words.size() > 1) {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (is_help(words[0])) {
    terminal.out << program_help(command_table().all(), help_form(terminal));
    return {};
  }
  if (is_seed_command_line(words)) words.insert(words.begin(), "profile");
  if (words[0].starts_with("-")) {
    return Error{ErrorCode::kInvalidInput, "no command before \"" + words[0] + "\""}
        .with("known", join(visible_commands()))
        .with("help", "opbench --help");
  }
  const std::vector<CommandDef> group = group_of(words[0]);
  const bool is_group = !group.empty();
  if (!is_group) OPBENCH_CHECK(find_command_line_command(words[0]));
  if (contains(words, "--version")) {
    terminal.out << "opbench " << OPBENCH_VERSION << "\n";
    return {};
  }
  const bool is_own = is_group && words.size() > 1 && is_command(words[0]) && !is_help(words[1]) &&
                      !is_command(words[0] + " " + words[1]);
  if (is_group && is_command(words[0]) && words.size() > 1 && is_help(words[1])) {
    OPBENCH_TRY(const CommandDef* own, find_command_line_command(words[0]));
    terminal.out << command_help(*own, group, help_form(terminal));
    return {};
  }
  if (is_group && !is_own && (words.size() == 1 || is_help(words[1]))) {
    terminal.out << group_help(words[0], with_own(words[0], group), help_form(terminal));
    return {};
  }
  OPBENCH_TRY(const CommandDef* command, is_group && !is_own ? find_verb(words[0], words[1])
                                                             : find_command_line_command(words[0]));
  const std::ptrdiff_t named = is_group && !is_own ? 2 : 1;
  return run_command(*command, CommandLineWords(words.begin() + named, words.end()), argv,
                     terminal);
}

namespace {

// Sizes are checked before they are allocated; what that cannot foresee ends here, and what no
// function expected is an error too, not the end of the process by a signal.
Result<void> run_guarded(const CommandLineWords& argv, Terminal& terminal) {
  try {
    return run_line(argv, terminal);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kEnvironment, "not enough memory"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kSystem, "a fault of OpBench: " + std::string(exception.what())};
  }
}

}  // namespace

int run_program(const CommandLineWords& argv, Terminal terminal) {
  prepare_limits();
  Result<void> done = run_guarded(argv, terminal);
  terminal.out.flush();
  if (done && !terminal.out) {
    done = Error{ErrorCode::kSystem, "cannot write to the standard output"};
  }
  if (done) return 0;
  terminal.err << to_text(with_limit(done.error())) << std::flush;
  return static_cast<int>(done.error().code);
}

}  // namespace opbench
