#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/request/profile_request.h"

namespace opbench {

/// What files of settings say: the `[defaults]` of options, by option name without its dashes, and
/// the engines of `[engine.NAME]`.
///
///     [defaults]
///     threads = [1, 2]
///     label = {host = "rack 4"}
///     [engine.mine]
///     command = ["/opt/mine/engine", "--fast"]
///     settings = {level = "3"}
struct Settings {
  std::map<std::string, std::vector<std::string>> defaults;
  std::vector<UserEngine> engines;
  std::map<std::string, std::string> places = {};  ///< of defaults: `opbench.toml:3`
  bool operator==(const Settings&) const = default;
};

/// Reads the text of one file; `file` names it in errors. `kInvalidInput`: not TOML (with line), an
/// unknown key or option (with a guess; `options` are the names that `[defaults]` may hold).
Result<Settings> parse_settings(std::string_view text, const std::string& file,
                                const std::vector<std::string>& options);

/// `over` completed by what only `under` says.
Settings merge(Settings over, const Settings& under);

/// The project's opbench.toml: in `folder` or the nearest one above it, not beyond a folder that
/// holds `.git`. Empty if there is none.
std::filesystem::path project_settings_file(std::filesystem::path folder);

/// The user's: $XDG_CONFIG_HOME/opbench/config.toml, else ~/.config/opbench/config.toml.
std::filesystem::path user_settings_file();

/// The project's settings over the user's.
Result<Settings> read_settings(const std::vector<std::string>& options);

}  // namespace opbench
