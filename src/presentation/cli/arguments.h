#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// What is done with the file that an argument names. `kRead` also where it may name something
/// else.
enum class FileUse { kNone, kRead, kWritten };

/// An argument found by its position.
struct PositionalDef {
  std::string name;  ///< as in the help: MODEL
  std::string help;
  bool is_required = true;
  bool repeats = false;  ///< takes all that follow; the last one only
  FileUse file = FileUse::kNone;
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
  FileUse file = FileUse::kNone;
  std::string old_name = {};   ///< what it was called once; understood, but in no help
  bool repeats_items = false;  ///< of a list: places count, so that one value may stand twice
};

/// A file that a command line names.
struct FileArgument {
  std::string argument;  ///< --output, or the positional's name
  std::string path;      ///< as given
  FileUse use = FileUse::kNone;
};

/// More threads than any machine has.
constexpr int64_t kMostThreads = 1 << 20;

/// The arguments of a command, checked against what it takes.
class Arguments {
 public:
  /// Reads what follows the command's name. `kInvalidInput`: an unknown option (with a guess), a
  /// missing, empty or superfluous value or argument, a list that names something twice, an option
  /// that is not there yet.
  static Result<Arguments> parse(const std::vector<std::string>& words,
                                 const std::vector<PositionalDef>& positionals,
                                 const std::vector<OptionDef>& options);

  /// Gives options that the command line left out their values from a file of settings; `place`
  /// names it in errors. `kInvalidInput` for values that the command line could not have either.
  Result<void> set_if_absent(const std::string& option, const std::vector<std::string>& values,
                             const std::string& place);

  /// The same error, with the place in a file of settings that its value comes from, if one does.
  Error with_place(Error error) const;

  /// The same with another value of an option that the command takes.
  Arguments with(const std::string& option, const std::vector<std::string>& values) const;

  /// The files that are named, those of options by their names, then positionals in order.
  std::vector<FileArgument> files() const;

  /// The positional's values, in order.
  const std::vector<std::string>& positionals() const { return positionals_; }

  /// True if the command line or the settings gave the option.
  bool has(const std::string& option) const { return given_.contains(option); }

  /// True if the command line itself gave the option.
  bool is_typed(const std::string& option) const {
    return has(option) && !places_.contains(option);
  }

  /// The value given last, else the default, else empty.
  std::string value(const std::string& option) const;

  /// All values given, lists split at commas; else the default's. Of a list that is given or has a
  /// default at least one, and none is empty.
  std::vector<std::string> values(const std::string& option) const;

  /// A switch. `kInvalidInput` unless its value is true or false.
  Result<bool> is_on(const std::string& option) const;

  /// A number of at least `lowest`. `kInvalidInput` quoting what was given.
  Result<int64_t> integer(const std::string& option, int64_t lowest,
                          int64_t highest = std::numeric_limits<int64_t>::max()) const;

  /// A finite number above 0. `kInvalidInput` quoting what was given.
  Result<double> positive(const std::string& option) const;

  /// A time above 0 in seconds: `90`, `90s`, `1.5m`, `1h`. `kInvalidInput` quoting what was given.
  Result<double> seconds(const std::string& option) const;

  /// `1`, `0.5`, `0.5%`: percent above 0 and below 100, as a share. `kInvalidInput` quoting what
  /// was given.
  Result<double> percent(const std::string& option) const;

  /// A list of numbers of at least `lowest`, `0-3` meaning 0,1,2,3; none twice.
  Result<std::vector<int>> integers(const std::string& option, int lowest) const;

  /// NAME=VALUE pairs. `kInvalidInput` for one without a name or `=`, or a name given twice.
  Result<std::map<std::string, std::string>> pairs(const std::string& option) const;

  /// One of `words`. `kInvalidInput` with the known words and a guess.
  Result<std::string> choice(const std::string& option,
                             const std::vector<std::string>& words) const;

 private:
  Result<void> take_option(const std::vector<std::string>& words, size_t& at);
  Result<void> check_positionals() const;

  std::map<std::string, OptionDef> options_;
  std::vector<PositionalDef> positional_defs_;
  std::map<std::string, std::vector<std::string>> given_;
  std::map<std::string, std::string> places_;  ///< of options whose values come from settings
  std::vector<std::string> positionals_;
};

/// The text at every `separator`; empty parts are kept, an empty text has none.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace opbench
