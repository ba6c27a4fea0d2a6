#include "presentation/cli/arguments.h"

#include <algorithm>
#include <string_view>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"

namespace opbench {
namespace {

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

bool is_word_of_switch(const std::string& word) { return word == "true" || word == "false"; }

Error unknown_option(const std::string& name, const std::map<std::string, OptionDef>& options) {
  Error error = invalid_input("unknown option " + in_quotes(name));
  std::vector<std::string> names = {"--help", "--version"};
  for (const auto& [key, def] : options) names.push_back(key);
  if (const std::string guess = nearest_name(name, names); !guess.empty()) {
    error.facts.push_back({"did you mean", guess + "?"});
  }
  return error;
}

const OptionDef* find_option(const std::map<std::string, OptionDef>& options,
                             const std::string& name) {
  for (const auto& [key, def] : options) {
    if (name == key || name == def.short_name || name == def.old_name) return &def;
  }
  return nullptr;
}

/// Refuses what is empty, and what a list of things names twice.
Result<void> check_values(const OptionDef& option, const std::vector<std::string>& values) {
  if (values.empty()) return invalid_input(option.name + " needs a value, not an empty list");
  std::vector<std::string> parts;
  for (const std::string& value : values) {
    if (value.empty()) return invalid_input(option.name + " needs a value, not \"\"");
    if (option.kind != OptionKind::kList) continue;
    for (std::string& part : split(value, ',')) {
      if (part.empty())
        return invalid_input(option.name + " has an empty part in " + in_quotes(value));
      const bool is_new = std::ranges::find(parts, part) == parts.end();
      if (!is_new && !option.repeats_items) {
        return invalid_input(option.name + " names " + in_quotes(part) + " twice");
      }
      parts.push_back(std::move(part));
    }
  }
  return {};
}

/// Whether the error is about an option: it names it or quotes one of its values.
bool is_about(const Error& error, const std::string& option,
              const std::vector<std::string>& values) {
  const size_t at = error.message.find(option);
  const size_t end = at == std::string::npos ? at : at + option.size();
  const bool is_named =
      at != std::string::npos && (end == error.message.size() || error.message[end] == ' ');
  return is_named || std::ranges::any_of(values, [&](const std::string& value) {
           return error.message.find(in_quotes(value)) != std::string::npos;
         });
}

bool looks_like_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !parse_number(word);
}

}  // namespace

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  size_t begin = 0;
  for (size_t end = text.find(separator); end != std::string::npos;
       end = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

Result<Arguments> Arguments::parse(const std::vector<std::string>& words,
                                   const std::vector<PositionalDef>& positionals,
                                   const std::vector<OptionDef>& options) {
  Arguments arguments;
  for (const OptionDef& option : options) arguments.options_[option.name] = option;
  arguments.positional_defs_ = positionals;
  bool only_positionals = false;
  for (size_t at = 0; at < words.size(); ++at) {
    if (words[at] == "--" && !only_positionals) {
      only_positionals = true;
    } else if (only_positionals || !looks_like_option(words[at])) {
      arguments.positionals_.push_back(words[at]);
    } else {
      OPBENCH_CHECK(arguments.take_option(words, at));
    }
  }
  for (const auto& [name, values] : arguments.given_) {
    OPBENCH_CHECK(check_values(arguments.options_.at(name), values));
  }
  OPBENCH_CHECK(arguments.check_positionals());
  return arguments;
}

Result<void> Arguments::take_option(const std::vector<std::string>& words, size_t& at) {
  const std::string& word = words[at];
  const size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  const std::string name = word.substr(0, equals);
  const OptionDef* option = find_option(options_, name);
  if (option == nullptr) return unknown_option(name, options_);
  if (!option->missing.empty()) {
    return invalid_input(option->name + " is not available yet").with("reason", option->missing);
  }
  std::string value;
  if (equals != std::string::npos) {
    value = word.substr(equals + 1);
    if (option->kind == OptionKind::kSwitch && !is_word_of_switch(value)) {
      return invalid_input(option->name + " takes true or false, not " + in_quotes(value));
    }
  } else if (option->kind == OptionKind::kSwitch) {
    value = at + 1 < words.size() && is_word_of_switch(words[at + 1]) ? words[++at] : "true";
  } else if (at + 1 < words.size() && !words[at + 1].starts_with("--")) {
    value = words[++at];
  } else {
    return invalid_input(option->name + " needs a value")
        .with("usage", option->name + " " + option->value_name);
  }
  given_[option->name].push_back(value);
  return {};
}

Result<void> Arguments::check_positionals() const {
  const std::vector<PositionalDef>& positionals = positional_defs_;
  size_t required = 0;
  for (const PositionalDef& positional : positionals) required += positional.is_required ? 1 : 0;
  if (positionals_.size() < required) {
    const PositionalDef& missing = positionals[positionals_.size()];
    return invalid_input("missing argument " + missing.name).with(missing.name, missing.help);
  }
  const bool repeats = !positionals.empty() && positionals.back().repeats;
  if (!repeats && positionals_.size() > positionals.size()) {
    std::vector<std::string> names;
    for (const PositionalDef& positional : positionals) names.push_back(positional.name);
    return invalid_input("unexpected argument " + in_quotes(positionals_[positionals.size()]))
        .with("takes", names.empty() ? "options only" : "one " + join(names));
  }
  for (size_t i = 0; i < positionals_.size(); ++i) {
    if (!positionals_[i].empty()) continue;
    return invalid_input(positionals[std::min(i, positionals.size() - 1)].name + " is empty: \"\"");
  }
  return {};
}

Result<void> Arguments::set_if_absent(const std::string& option,
                                      const std::vector<std::string>& values,
                                      const std::string& place) {
  const auto def = options_.find(option);
  if (def == options_.end() || !def->second.is_settable || has(option)) return {};
  given_[option] = values;
  places_[option] = place;
  const Result<void> checked = check_values(def->second, values);
  if (!checked) return with_place(checked.error());
  return {};
}

Error Arguments::with_place(Error error) const {
  for (const auto& [option, place] : places_) {
    if (is_about(error, option, given_.at(option))) return std::move(error).with("in", place);
  }
  return error;
}

std::vector<FileArgument> Arguments::files() const {
  std::vector<FileArgument> files;
  for (const auto& [name, values] : given_) {
    const OptionDef& option = options_.at(name);
    if (option.file == FileUse::kNone) continue;
    for (const std::string& value : values) files.push_back({name, value, option.file});
  }
  for (size_t i = 0; i < positionals_.size(); ++i) {
    const PositionalDef& def = positional_defs_[std::min(i, positional_defs_.size() - 1)];
    if (def.file != FileUse::kNone) files.push_back({def.name, positionals_[i], def.file});
  }
  return files;
}

Arguments Arguments::with(const std::string& option, const std::vector<std::string>& values) const {
  Arguments changed = *this;
  changed.given_[option] = values;
  changed.places_.erase(option);
  return changed;
}

std::string Arguments::value(const std::string& option) const {
  if (const auto it = given_.find(option); it != given_.end()) return it->second.back();
  const auto it = options_.find(option);
  return it == options_.end() ? "" : it->second.otherwise;
}

std::vector<std::string> Arguments::values(const std::string& option) const {
  const auto def = options_.find(option);
  if (def == options_.end()) return {};
  std::vector<std::string> given;
  if (const auto it = given_.find(option); it != given_.end()) {
    given = it->second;
  } else if (!def->second.otherwise.empty()) {
    given = {def->second.otherwise};
  }
  if (def->second.kind != OptionKind::kList) return given;
  std::vector<std::string> parts;
  for (const std::string& list : given) {
    for (std::string& part : split(list, ',')) parts.push_back(std::move(part));
  }
  return parts;
}

Result<bool> Arguments::is_on(const std::string& option) const {
  const std::string text = value(option);
  if (text.empty() || text == "false") return false;
  if (text == "true") return true;
  return invalid_input(option + " takes true or false, not " + in_quotes(text));
}

Result<int64_t> Arguments::integer(const std::string& option, int64_t lowest,
                                   int64_t highest) const {
  const std::string text = value(option);
  const std::optional<int64_t> number = parse_integer(text);
  if (!number) return invalid_input(option + " takes a whole number, not " + in_quotes(text));
  if (*number < lowest) {
    return invalid_input(option + " must be at least " + std::to_string(lowest) + ", not " +
                         in_quotes(text));
  }
  if (*number > highest) {
    return invalid_input(option + " must be at most " + std::to_string(highest) + ", not " +
                         in_quotes(text));
  }
  return *number;
}

Result<double> Arguments::positive(const std::string& option) const {
  const std::string text = value(option);
  const std::optional<double> number = parse_number(text);
  if (!number) return invalid_input(option + " takes a number, not " + in_quotes(text));
  if (*number <= 0) return invalid_input(option + " must be above 0, not " + in_quotes(text));
  return *number;
}

Result<double> Arguments::seconds(const std::string& option) const {
  constexpr double kMinute = 60, kHour = 3600, kMost = 1e9;
  const std::string text = value(option);
  std::string digits = text;
  double unit = 1;
  if (!text.empty() && std::string_view("smh").find(text.back()) != std::string_view::npos) {
    if (text.back() != 's') unit = text.back() == 'm' ? kMinute : kHour;
    digits.pop_back();
  }
  const std::optional<double> number = parse_number(digits);
  if (!number) {
    return invalid_input(option + " takes a time, not " + in_quotes(text))
        .with("for instance", "10 (seconds), 90s, 1.5m, 1h");
  }
  if (*number <= 0) return invalid_input(option + " must be above 0, not " + in_quotes(text));
  if (*number * unit > kMost) {
    return invalid_input(option + " must be at most 1e9 seconds, not " + in_quotes(text));
  }
  return *number * unit;
}

Result<double> Arguments::percent(const std::string& option) const {
  std::string text = value(option);
  if (text.ends_with("%")) text.pop_back();
  const std::optional<double> percent = parse_number(text);
  if (!percent || *percent <= 0 || *percent >= 100) {
    return invalid_input(option + " takes percent above 0 and below 100, not " +
                         in_quotes(value(option)));
  }
  return *percent / 100;
}

Result<std::vector<int>> Arguments::integers(const std::string& option, int lowest) const {
  std::vector<int> numbers;
  constexpr int64_t kLargest = 1 << 20;
  for (const std::string& part : values(option)) {
    const size_t dash = part.find('-', 1);
    const auto first = parse_integer(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_integer(part.substr(dash + 1));
    if (!first || !last || *first > *last || *last > kLargest) {
      return invalid_input(option + " takes whole numbers such as 1,2 or 0-3, not " +
                           in_quotes(part));
    }
    if (*first < lowest) {
      return invalid_input(option + " must be at least " + std::to_string(lowest) + ", not " +
                           in_quotes(part));
    }
    for (int64_t i = *first; i <= *last; ++i) {
      const auto number = static_cast<int>(i);
      if (!options_.at(option).repeats_items &&
          std::ranges::find(numbers, number) != numbers.end()) {
        return invalid_input(option + " names " + in_quotes(std::to_string(i)) + " twice");
      }
      numbers.push_back(number);
    }
  }
  return numbers;
}

Result<std::map<std::string, std::string>> Arguments::pairs(const std::string& option) const {
  std::map<std::string, std::string> result;
  for (const std::string& text : values(option)) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return invalid_input(option + " takes " + options_.at(option).value_name + ", not " +
                           in_quotes(text));
    }
    if (!result.emplace(text.substr(0, equals), text.substr(equals + 1)).second) {
      return invalid_input(option + " names " + in_quotes(text.substr(0, equals)) + " twice");
    }
  }
  return result;
}

Result<std::string> Arguments::choice(const std::string& option,
                                      const std::vector<std::string>& words) const {
  std::string text = value(option);
  for (const std::string& word : words) {
    if (word == text) return text;
  }
  Error error =
      invalid_input(option + " does not take " + in_quotes(text)).with("known", join(words));
  if (const std::string guess = nearest_name(text, words); !guess.empty()) {
    error.facts.push_back({"did you mean", guess + "?"});
  }
  return error;
}

}  // namespace opbench
