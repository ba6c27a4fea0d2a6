#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opbench/base/error.h"

namespace opbench {

/// An argument found by its position.
struct PositionalDef {
  std::string name;  ///< as in the help: MODEL
  std::string help;
  bool is_required = true;
  bool repeats = false;  ///< takes all that follow; the last one only
};

enum class OptionKind {
  kValue,     ///< takes one value; given twice, the last counts
  kList,      ///< comma-separated; given several times, the lists are joined
  kRepeated,  ///< given once for every value, which is kept whole: --label A=1 --label B=2
  kSwitch,    ///< true when given; also takes true or false
};

/// An argument found by its name.
struct OptionDef {
  std::string name;        ///< --threads
  std::string value_name;  ///< as in the help: N,N…; empty for a switch
  std::string help;
  std::string otherwise = {};   ///< the value when it is not given; empty: none
  std::string short_name = {};  ///< -o
  OptionKind kind = OptionKind::kValue;
  bool is_hidden = false;    ///< left out of the help
  bool is_settable = true;   ///< opbench.toml may give its value
  std::string missing = {};  ///< the option is known, but not there yet: refused with this reason
};

/// The arguments of a command, checked against what it takes.
class Arguments {
 public:
  /// Reads what follows the command's name. `kInvalidInput`: an unknown option (with a guess), a
  /// missing or superfluous value or argument, one that is not there yet.
  static Result<Arguments> parse(const std::vector<std::string>& words,
                                 const std::vector<PositionalDef>& positionals,
                                 const std::vector<OptionDef>& options);

  /// Gives options that the command line left out their values from a file of settings.
  void set_if_absent(const std::string& option, const std::vector<std::string>& values);

  /// The same with another value of an option that the command takes.
  Arguments with(const std::string& option, const std::vector<std::string>& values) const;

  /// The positional's values, in order.
  const std::vector<std::string>& positionals() const { return positionals_; }

  /// True if the command line or the settings gave the option.
  bool has(const std::string& option) const { return given_.contains(option); }

  /// The value given last, else the default, else empty.
  std::string value(const std::string& option) const;

  /// All values given, lists split at commas; else the default's.
  std::vector<std::string> values(const std::string& option) const;

  /// A switch. `kInvalidInput` unless its value is true or false.
  Result<bool> is_on(const std::string& option) const;

  /// A number of at least `lowest`. `kInvalidInput` quoting what was given.
  Result<int64_t> integer(const std::string& option, int64_t lowest) const;

  /// A finite number above 0. `kInvalidInput` quoting what was given.
  Result<double> positive(const std::string& option) const;

  /// `1`, `0.5`, `0.5%`: percent above 0 and below 100, as a share. `kInvalidInput` quoting what
  /// was given.
  Result<double> percent(const std::string& option) const;

  /// A list of numbers of at least `lowest`, `0-3` meaning 0,1,2,3.
  Result<std::vector<int>> integers(const std::string& option, int lowest) const;

  /// NAME=VALUE pairs. `kInvalidInput` for one without a name or `=`, or a name given twice.
  Result<std::map<std::string, std::string>> pairs(const std::string& option) const;

  /// One of `words`. `kInvalidInput` with the known words and a guess.
  Result<std::string> choice(const std::string& option,
                             const std::vector<std::string>& words) const;

 private:
  Result<void> take_option(const std::vector<std::string>& words, size_t& at);
  Result<void> check_positionals(const std::vector<PositionalDef>& positionals) const;

  std::map<std::string, OptionDef> options_;
  std::map<std::string, std::vector<std::string>> given_;
  std::vector<std::string> positionals_;
};

/// The text at every `separator`; empty parts are kept, an empty text has none.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace opbench
