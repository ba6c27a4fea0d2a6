#include "presentation/cli/settings.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <system_error>

#include "base/errors/suggestion.h"
#include "base/files/text_file.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

Error in_file(Error error, const std::string& file) { return std::move(error).with("in", file); }

Error wrong_kind(const std::string& key, std::string_view wanted, const std::string& file) {
  return in_file({ErrorCode::kInvalidInput, fmt::format("\"{}\" must be {}", key, wanted)}, file);
}

/// The text that would stand on the command line; nothing for tables, arrays and dates.
std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  return std::nullopt;
}

Result<std::vector<std::string>> option_values(const std::string& key, const toml::node& node,
                                               const std::string& file) {
  std::vector<std::string> values;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) {
      const auto text = scalar_text(element);
      if (!text) return wrong_kind(key, "a list of texts, numbers or booleans", file);
      values.push_back(*text);
    }
  } else if (const toml::table* table = node.as_table()) {
    for (const auto& [name, element] : *table) {
      const auto text = scalar_text(element);
      if (!text) return wrong_kind(key, "a table of texts, numbers or booleans", file);
      values.push_back(std::string(name.str()) + "=" + *text);
    }
  } else if (const auto text = scalar_text(node)) {
    values.push_back(*text);
  } else {
    return wrong_kind(key, "a text, number, boolean, list or table", file);
  }
  if (values.empty()) return wrong_kind(key, "a list or table that is not empty", file);
  return values;
}

Result<std::vector<std::string>> command_words(const toml::node& node, const std::string& file) {
  std::vector<std::string> words;
  const toml::array* array = node.as_array();
  if (array == nullptr || array->empty()) return wrong_kind("command", "a list of texts", file);
  for (const toml::node& element : *array) {
    if (!element.is_string()) return wrong_kind("command", "a list of texts", file);
    words.push_back(element.as_string()->get());
  }
  return words;
}

Result<UserEngine> parse_engine(const std::string& name, const toml::node& node,
                                const std::string& file) {
  UserEngine engine{name, {}, {}};
  const toml::table* table = node.as_table();
  if (table == nullptr) return wrong_kind("engine." + name, "a table", file);
  for (const auto& [key, value] : *table) {
    if (key.str() == "command") {
      OPBENCH_TRY(engine.command, command_words(value, file));
    } else if (key.str() == "settings") {
      if (!value.is_table()) return wrong_kind("settings", "a table", file);
      for (const auto& [setting, element] : *value.as_table()) {
        const auto text = scalar_text(element);
        if (!text) return wrong_kind(std::string(setting.str()), "a text or number", file);
        engine.settings[std::string(setting.str())] = *text;
      }
    } else {
      return in_file(unknown_name("key", key.str(), {"command", "settings"}), file);
    }
  }
  return engine;
}

Result<void> parse_defaults(const toml::node& node, const std::string& file,
                            const std::vector<std::string>& options, Settings& settings) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return wrong_kind("defaults", "a table", file);
  for (const auto& [key, value] : *table) {
    const std::string name(key.str());
    if (std::ranges::find(options, name) == options.end()) {
      return in_file(unknown_name("option", name, options), file);
    }
    const std::string place = fmt::format("{}:{}", file, key.source().begin.line);
    OPBENCH_TRY(settings.defaults[name], option_values(name, value, place));
    settings.places[name] = place;
  }
  return {};
}

Result<Settings> settings_from_table(const toml::table& table, const std::string& file,
                                     const std::vector<std::string>& options) {
  Settings settings;
  for (const auto& [key, value] : table) {
    if (key.str() == "defaults") {
      OPBENCH_CHECK(parse_defaults(value, file, options, settings));
    } else if (key.str() == "engine") {
      if (!value.is_table()) return wrong_kind("engine", "a table: [engine.NAME]", file);
      for (const auto& [name, engine] : *value.as_table()) {
        OPBENCH_TRY(UserEngine parsed, parse_engine(std::string(name.str()), engine, file));
        settings.engines.push_back(std::move(parsed));
      }
    } else {
      return in_file(unknown_name("key", key.str(), {"defaults", "engine"}), file);
    }
  }
  return settings;
}

}  // namespace

Result<Settings> parse_settings(std::string_view text, const std::string& file,
                                const std::vector<std::string>& options) {
  try {
    return settings_from_table(toml::parse(text), file, options);
  } catch (const toml::parse_error& error) {
    std::ostringstream place;
    place << file << ":" << error.source().begin.line;
    return Error{ErrorCode::kInvalidInput, "not TOML: " + std::string(error.description())}.with(
        "in", place.str());
  }
}

Settings merge(Settings over, const Settings& under) {
  over.defaults.insert(under.defaults.begin(), under.defaults.end());
  over.places.insert(under.places.begin(), under.places.end());
  for (const UserEngine& engine : under.engines) {
    const auto same = [&](const UserEngine& other) { return other.name == engine.name; };
    if (std::ranges::none_of(over.engines, same)) over.engines.push_back(engine);
  }
  return over;
}

fs::path project_settings_file(fs::path folder) {
  std::error_code ignored;
  while (!folder.empty()) {
    if (fs::is_regular_file(folder / "opbench.toml", ignored)) return folder / "opbench.toml";
    if (fs::exists(folder / ".git", ignored) || folder == folder.root_path()) break;
    folder = folder.parent_path();
  }
  return {};
}

fs::path user_settings_file() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config != '\0') return fs::path(config) / "opbench" / "config.toml";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return fs::path(home) / ".config" / "opbench" / "config.toml";
}

Result<Settings> read_settings(const std::vector<std::string>& options) {
  std::error_code ignored;
  Settings settings;
  for (const fs::path& file :
       {project_settings_file(fs::current_path(ignored)), user_settings_file()}) {
    if (file.empty() || !fs::exists(file, ignored)) continue;
    OPBENCH_TRY(const std::string text, read_text_file(file));
    OPBENCH_TRY(const Settings read, parse_settings(text, file.string(), options));
    settings = merge(std::move(settings), read);
  }
  return settings;
}

}  // namespace opbench
