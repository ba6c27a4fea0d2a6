#include "experiments/sweep/sweep_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"
#include "engines/catalog/engine.h"
#include "engines/catalog/engine_choice.h"
#include "kernels/schedules/schedule.h"
#include "machine/settings/setting.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

/// Above this a number is taken for a slip.
constexpr int64_t kLargest = 1'000'000'000;
constexpr size_t kMostValues = 10'000;
constexpr std::string_view kScheduleKey = "schedule";
constexpr std::string_view kKnobPrefix = "knob.";

/// The next value of a range; the same one when there is none.
int64_t next_of(int64_t value, int64_t step, bool is_factor) {
  if (is_factor) return value > kLargest / step ? value : value * step;
  return value + step;
}

Result<void> add_range(const std::string& text, size_t dots, std::vector<std::string>& values) {
  const size_t sign = text.find_first_of("+*", dots);
  const bool is_factor = sign != std::string::npos && text[sign] == '*';
  const auto first = parse_integer(text.substr(0, dots));
  const auto last = parse_integer(text.substr(dots + 2, sign - dots - 2));
  const auto step =
      sign == std::string::npos ? std::optional<int64_t>(1) : parse_integer(text.substr(sign + 1));
  const bool is_valid = first && last && step && *first >= 1 && *last >= *first &&
                        *last <= kLargest && *step >= (is_factor ? 2 : 1) && *step <= kLargest;
  if (!is_valid) {
    return invalid_input(fmt::format("\"{}\" is no range", text))
        .with("valid", "1..8 and 1..8+2 by steps, 1..32*2 by factors");
  }
  for (int64_t value = *first; value <= *last;) {
    values.push_back(std::to_string(value));
    const int64_t next = next_of(value, *step, is_factor);
    if (next == value || values.size() > kMostValues) break;
    value = next;
  }
  return {};
}

Result<void> add_value(const std::string& text, std::vector<std::string>& values) {
  if (text.empty()) return invalid_input("a value is empty");
  const size_t dots = text.find("..");
  if (dots != std::string::npos) return add_range(text, dots, values);
  const auto number = parse_integer(text);
  values.push_back(number ? std::to_string(*number) : text);
  return {};
}

Result<void> check_numbers(const SweepKey& key) {
  for (const std::string& value : key.values) {
    const auto number = parse_integer(value);
    if (!number) {
      return invalid_input(
          fmt::format("--over {} takes whole numbers, not \"{}\"", key.name, value));
    }
    if (*number < 1 || *number > kLargest) {
      return invalid_input(fmt::format("--over {} takes numbers from 1 to {}, not \"{}\"", key.name,
                                       kLargest, value));
    }
  }
  return {};
}

Result<void> check_words(const SweepKey& key, const std::string& kind,
                         const std::vector<std::string>& known) {
  for (const std::string& value : key.values) {
    if (std::ranges::find(known, value) == known.end()) return unknown_name(kind, value, known);
  }
  return {};
}

std::vector<std::string> engine_names(const std::vector<UserEngine>& user_engines) {
  std::vector<std::string> names = engine_table().names();
  for (const UserEngine& user : user_engines) {
    if (std::ranges::find(names, user.name) == names.end()) names.push_back(user.name);
  }
  return names;
}

/// Those that need no plan: one plan does not serve all points.
std::vector<std::string> executor_names() {
  std::vector<std::string> names = package_engine().executors;
  std::erase_if(names,
                [](const std::string& name) { return follows_plan(package_engine(), name); });
  return names;
}

Result<void> check_targets(const SweepKey& key) {
  for (const std::string& value : key.values) {
    const Result<Target> target = parse_target(value);
    if (!target) return Error(target.error()).with("in", "--over target");
  }
  return {};
}

Result<void> check_knob(const SweepKey& key) {
  for (const std::string& value : key.values) {
    if (!parse_integer(value)) {
      return invalid_input(
          fmt::format("--over {} takes whole numbers, not \"{}\"", key.name, value));
    }
  }
  return {};
}

/// A setting of the machine, whose values this machine can take.
Result<SweepSetting> machine_setting(const SweepKey& key) {
  SettingFiles files = SettingFiles::of_machine();
  OPBENCH_TRY(const SettingDef* setting, setting_table().find(key.name));
  const SettingState state = setting->find(setting_place(files));
  for (const std::string& value : key.values) {
    const Result<void> checked = check_setting(*setting, state, value);
    if (!checked) return Error(checked.error()).with("in", "--over " + key.name);
  }
  return SweepSetting{.kind = SweepSetting::Kind::kMachine, .input = key.name};
}

bool is_machine_setting(const std::string& name) {
  const auto known = setting_table().find(name);
  return known && is_of_runs(**known);
}

std::vector<std::string> known_keys(const SweepSubject& subject) {
  std::vector<std::string> known = {"engine", "threads", "target", "fusion"};
  if (subject.workload != nullptr) {
    for (const char* name : {"cache", "schedule", "knob.NAME"}) known.emplace_back(name);
    for (std::string& name : extent_names(*subject.workload)) known.push_back(std::move(name));
    for (std::string& name : settable_names()) known.push_back(std::move(name));
    return known;
  }
  known.emplace_back("executor");
  known.emplace_back("parallel");
  known.emplace_back("batch");
  for (const Value& input : subject.inputs) {
    for (size_t i = 0; i < input.dimensions.size(); ++i) {
      known.push_back(fmt::format("{}.{}", input.name, i));
      const std::string& symbol = input.dimensions[i].symbol;
      if (!symbol.empty() && std::ranges::find(known, symbol) == known.end()) {
        known.push_back(symbol);
      }
    }
  }
  for (std::string& name : settable_names()) known.push_back(std::move(name));
  return known;
}

/// A dimension's name.
std::optional<SweepSetting> dimension(const std::string& key, const SweepSubject& subject) {
  for (const Value& input : subject.inputs) {
    if (std::ranges::find(input.dimensions, key, &Dimension::symbol) == input.dimensions.end()) {
      continue;
    }
    return SweepSetting{.kind = SweepSetting::Kind::kDimension, .input = key};
  }
  return {};
}

/// `INPUT.D`; the name may hold dots.
std::optional<SweepSetting> input_extent(const std::string& key, const SweepSubject& subject) {
  const size_t dot = key.rfind('.');
  if (dot == std::string::npos) return {};
  const auto dimension = parse_integer(key.substr(dot + 1));
  for (const Value& input : subject.inputs) {
    const bool is_this = input.name == key.substr(0, dot) && dimension && *dimension >= 0 &&
                         *dimension < static_cast<int64_t>(input.dimensions.size());
    if (!is_this) continue;
    SweepSetting setting{.kind = SweepSetting::Kind::kInputExtent, .input = input.name};
    setting.dimension = static_cast<size_t>(*dimension);
    return setting;
  }
  return {};
}

Error unknown_key(const SweepKey& key, const SweepSubject& subject) {
  if (key.name == kScheduleKey || key.name.starts_with(kKnobPrefix)) {
    return invalid_input("--over " + key.name + " is for a workload")
        .with("reason", "the units of a model have schedules of their own");
  }
  if (key.name == "cache") {
    return invalid_input("--over cache is for a workload")
        .with("reason", "inside a model a kernel finds what the one before it left in the caches");
  }
  if (const auto setting = setting_table().find(key.name)) {
    return invalid_input("--over " + key.name + " is no key").with("set by", (*setting)->set_by);
  }
  Error error = unknown_name("key", key.name, known_keys(subject));
  error.message += " of --over";
  return error;
}

}  // namespace

Result<SweepKey> parse_over(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return invalid_input(fmt::format("--over takes KEY=V,V…, not \"{}\"", text))
        .with("such as", "--over threads=1,2");
  }
  SweepKey key{.name = text.substr(0, equals)};
  size_t begin = equals + 1;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const auto added = add_value(text.substr(begin, end - begin), key.values);
    if (!added) return Error(added.error()).with("in", fmt::format("--over {}", text));
    begin = end + 1;
  }
  if (key.values.size() > kMostValues) {
    return invalid_input(fmt::format("--over {} has more than {} values", text, kMostValues));
  }
  for (size_t i = 0; i < key.values.size(); ++i) {
    if (std::find(key.values.begin(), key.values.begin() + static_cast<std::ptrdiff_t>(i),
                  key.values[i]) != key.values.begin() + static_cast<std::ptrdiff_t>(i)) {
      return invalid_input(fmt::format("--over {} has \"{}\" twice", key.name, key.values[i]));
    }
  }
  key.is_numeric = std::ranges::all_of(
      key.values, [](const std::string& value) { return parse_integer(value).has_value(); });
  return key;
}

Result<SweepSetting> setting_of(const SweepKey& key, const SweepSubject& subject,
                                const std::vector<UserEngine>& user_engines) {
  using Kind = SweepSetting::Kind;
  const bool is_workload = subject.workload != nullptr;
  if (key.name == "engine") {
    OPBENCH_CHECK(check_words(key, "engine", engine_names(user_engines)));
    return SweepSetting{.kind = Kind::kEngine};
  }
  if (key.name == "cache" && is_workload) {
    OPBENCH_CHECK(check_words(key, "cache mode", {"hot", "cold-weights", "cold-all"}));
    return SweepSetting{.kind = Kind::kCache};
  }
  if (key.name == "executor" && !is_workload) {
    OPBENCH_CHECK(check_words(key, "executor", executor_names()));
    return SweepSetting{.kind = Kind::kExecutor};
  }
  if (key.name == "parallel" && !is_workload) {
    OPBENCH_CHECK(check_words(key, "kind of parallelism", {"full", "stream"}));
    return SweepSetting{.kind = Kind::kParallel};
  }
  if (key.name == "fusion") {
    OPBENCH_CHECK(check_words(key, "fusion", {"on", "off"}));
    return SweepSetting{.kind = Kind::kFusion};
  }
  if (key.name == "target") {
    OPBENCH_CHECK(check_targets(key));
    return SweepSetting{.kind = Kind::kTarget};
  }
  if (is_workload && key.name == kScheduleKey) {
    OPBENCH_CHECK(check_words(key, "schedule", schedule_table().names()));
    return SweepSetting{.kind = Kind::kSchedule};
  }
  if (is_workload && key.name.starts_with(kKnobPrefix)) {
    OPBENCH_CHECK(check_knob(key));
    return SweepSetting{.kind = Kind::kKnob, .input = key.name.substr(kKnobPrefix.size())};
  }
  if (is_machine_setting(key.name)) return machine_setting(key);
  std::optional<SweepSetting> setting;
  if (key.name == "threads") setting = SweepSetting{.kind = Kind::kThreads};
  if (key.name == "batch" && !is_workload) setting = SweepSetting{.kind = Kind::kBatch};
  if (!setting && is_workload) {
    const auto place = extent_place(*subject.workload, key.name);
    if (place) setting = SweepSetting{.kind = Kind::kExtent, .extent = *place};
  } else if (!setting) {
    setting = input_extent(key.name, subject);
    if (!setting) setting = dimension(key.name, subject);
  }
  if (!setting) return unknown_key(key, subject);
  OPBENCH_CHECK(check_numbers(key));
  return *setting;
}

}  // namespace opbench
