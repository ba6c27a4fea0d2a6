#include "engines/catalog/engine_command.h"

#include <algorithm>
#include <cctype>

#include "base/errors/suggestion.h"
#include "base/numbers/hash.h"

namespace opbench {
namespace {

bool is_plain_word(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

std::string setting_name(const std::string& key) {
  std::string name = "OPBENCH_SETTING_";
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) != 0 ? static_cast<char>(std::toupper(byte)) : '_';
  }
  return name;
}

std::optional<std::string> always_available() { return std::nullopt; }

/// Two engines of one run have two logs.
EngineCommand engine_command(const EngineOptions& options) {
  EngineCommand command;
  command.argv = options.command;
  for (const auto& [key, value] : options.settings) command.environment[setting_name(key)] = value;
  command.cpus = options.cpus;
  command.log = options.folder / (sha256(join(options.command, "\n")).substr(0, 16) + ".log");
  return command;
}

}  // namespace

Result<EngineDef> engine_of_command(const std::string& name,
                                    const std::vector<std::string>& words) {
  if (!is_plain_word(name)) {
    return Error{ErrorCode::kInvalidInput, "\"" + name + "\" cannot be an engine's name"}.with(
        "valid", "letters, digits, - and _");
  }
  if (engine_table().find(name)) {
    return Error{ErrorCode::kInvalidInput, "\"" + name + "\" is a built-in engine's name"};
  }
  if (words.empty()) {
    return Error{ErrorCode::kInvalidInput, "the engine \"" + name + "\" has no command"}.with(
        "valid", "[engine." + name + "] command = [\"/path/to/engine\"]");
  }
  EngineDef def;
  def.name = name;
  def.summary = join(words, " ");
  def.unavailable = always_available;
  def.command = engine_command;
  return def;
}

}  // namespace opbench
