#include "records/formats/logs/ansor_decoder.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

namespace opbench {
namespace {

namespace dom = simdjson::dom;

constexpr JsonPlace kAnsorDecoderRoot{};
constexpr std::array kVersions = {"v0.2", "v0.3", "v0.4", "v0.5", "v0.6"};
constexpr std::array kSteps = {"AN", "FU", "PR", "RE", "SP",  "FSP", "FFSP",
                               "SA", "CA", "CI", "CR", "CHR", "CHW", "RF"};

/// Lists within lists as one list.
void flatten(const Argument& argument, std::vector<NamedArgument>& flat) {
  if (argument.kind != ArgumentKind::kTuple) {
    flat.push_back({"", argument});
    return;
  }
  for (const Argument& item : argument.items) flatten(item, flat);
}

std::optional<std::vector<int64_t>> integers_of(const dom::element& value) {
  dom::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return {};
  std::vector<int64_t> integers;
  for (const dom::element item : array) {
    int64_t integer = 0;
    if (item.get_int64().get(integer) != simdjson::SUCCESS) return {};
    integers.push_back(integer);
  }
  return integers;
}

std::optional<std::vector<std::string>> strings_of(const dom::element& value) {
  dom::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return {};
  std::vector<std::string> strings;
  for (const dom::element item : array) {
    auto text = string_of(item);
    if (!text) return {};
    strings.push_back(std::move(*text));
  }
  return strings;
}

}  // namespace

DecodedLine AnsorDecoder::decode(std::string_view line) {
  begin();
  record_.config = AnsorConfig{};
  record_.origin.format = TuningFormat::kAnsor;
  const Element* value = json_.parse(line, issues_);
  return end(value != nullptr && decode_object(*value));
}

bool AnsorDecoder::decode_object(const Element& line) {
  dom::object object;
  if (line.get_object().get(object) != simdjson::SUCCESS) {
    return fault("E_KEYS", kAnsorDecoderRoot, "a record is a JSON object");
  }
  static const std::vector<std::string> kNames = {"i", "r", "v"};
  std::vector<std::string> order;
  for (const dom::key_value_pair pair : object) {
    const std::string key(pair.key);
    if (std::ranges::find(kNames, key) == kNames.end()) {
      return fault("E_KEYS", kAnsorDecoderRoot.field(key),
                   "unknown key \"" + key + "\", known: i, r, v");
    }
    if (std::ranges::find(order, key) != order.end()) {
      return fault("E_KEYS", kAnsorDecoderRoot.field(key),
                   "key \"" + key + "\" stands there twice");
    }
    order.push_back(key);
  }
  for (const std::string& name : kNames) {
    if (std::ranges::find(order, name) == order.end()) {
      return fault("E_KEYS", kAnsorDecoderRoot, "key \"" + name + "\" is missing");
    }
  }
  if (order != kNames) record_.origin.key_order = order;
  return read_version(line["v"].value_unsafe()) && read_input(line["i"].value_unsafe()) &&
         read_result(line["r"].value_unsafe(), kAnsorDecoderRoot.field("r"));
}

bool AnsorDecoder::read_version(const Element& value) {
  const std::optional<std::string> version = string_of(value);
  if (!version || std::ranges::find(kVersions, *version) == kVersions.end()) {
    return fault("E_VERSION", kAnsorDecoderRoot.field("v"),
                 "log version " + json_.python_text(value) + ", known: \"v0.2\" to \"v0.6\"");
  }
  record_.origin.format_version = *version;
  return true;
}

bool AnsorDecoder::read_input(const Element& value) {
  const JsonPlace place = kAnsorDecoderRoot.field("i");
  const auto parts = items_of(value, 2);
  if (!parts) return fault("E_INPUT_ARITY", place, "needs 2 items: task, state");
  return read_task((*parts)[0], place.item(0)) && read_state((*parts)[1], place.item(1));
}

bool AnsorDecoder::read_task(const Element& value, const JsonPlace& place) {
  constexpr size_t kLeast = 2;
  constexpr size_t kMost = 6;
  dom::array array;
  const bool is_array = value.get_array().get(array) == simdjson::SUCCESS;
  if (!is_array || array.size() < kLeast || array.size() > kMost) {
    return fault("E_INPUT_ARITY", place, "a task has 2 to 6 items: workload key, target, …");
  }
  const std::vector<Element> items(array.begin(), array.end());
  config().task_items = static_cast<int>(items.size());
  const auto key = string_of(items[0]);
  if (!key || key->empty()) {
    return fault("E_INPUT_ARITY", place.item(0), "a workload key is a text");
  }
  config().workload_key = *key;
  if (!read_key(*key, place.item(0)) || !read_target(items[1], place.item(1))) return false;
  return read_task_rest(items, place);
}

/// What later versions added.
bool AnsorDecoder::read_task_rest(const std::vector<Element>& items, const JsonPlace& place) {
  if (items.size() > 2) {
    auto params = integers_of(items[2]);
    if (!params) return fault("E_INPUT_ARITY", place.item(2), "hardware parameters are integers");
    config().hardware_params = std::move(*params);
  }
  if (items.size() > 3) {
    config().target_host = string_of(items[3]);
    if (!config().target_host) {
      return fault("E_INPUT_ARITY", place.item(3), "the target's host is a text");
    }
  }
  if (items.size() > 4) {
    int64_t option = 0;
    if (items[4].get_int64().get(option) != simdjson::SUCCESS) {
      return fault("E_INPUT_ARITY", place.item(4), "the layout rewrite option is an integer");
    }
    config().layout_rewrite = option;
  }
  if (items.size() > 5) {
    config().task_inputs = strings_of(items[5]);
    if (!config().task_inputs) {
      return fault("E_INPUT_ARITY", place.item(5), "names of inputs are texts");
    }
  }
  return true;
}

/// A JSON array in a text: the function's name or the hash of its graph, then arguments.
bool AnsorDecoder::read_key(const std::string& key, const JsonPlace& place) {
  std::vector<RecordIssue> ignored;
  const Element* value = key_json_.parse(key, ignored);
  const auto tuple = value == nullptr ? std::nullopt : key_json_.argument(*value);
  const bool is_list = tuple && tuple->kind == ArgumentKind::kTuple && !tuple->items.empty() &&
                       tuple->items[0].kind == ArgumentKind::kString;
  if (!is_list) {
    record_.task = "ansor:" + key;
    return true;
  }
  record_.task = "ansor:" + tuple->items[0].text;
  for (size_t i = 1; i < tuple->items.size(); ++i) flatten(tuple->items[i], record_.arguments);
  if (tuple->items.size() == 1) {
    issues_.push_back({"W_OLD_KEY", place.text(), "a workload key without shapes, of old logs",
                       json_.column(place)});
  }
  return true;
}

bool AnsorDecoder::read_state(const Element& value, const JsonPlace& place) {
  const auto parts = items_of(value, 2);
  dom::array steps;
  if (!parts || (*parts)[1].get_array().get(steps) != simdjson::SUCCESS) {
    return fault("E_STEP", place, "a state is [stages, steps]");
  }
  const JsonPlace list = place.item(1);
  for (const Element step : steps) {
    if (!read_step(step, list.item(config().steps.size()))) return false;
  }
  return true;
}

bool AnsorDecoder::read_step(const Element& value, const JsonPlace& place) {
  std::optional<Argument> tuple = json_.argument(value);
  const bool is_step = tuple && tuple->kind == ArgumentKind::kTuple && !tuple->items.empty() &&
                       tuple->items[0].kind == ArgumentKind::kString;
  if (!is_step) return fault("E_STEP", place, "a step is [kind, …]");
  AnsorStep step{.kind = tuple->items[0].text};
  if (std::ranges::find(kSteps, step.kind) == kSteps.end()) {
    warn("E_STEP", place, "unknown kind of step \"" + step.kind + "\" is kept as it is");
  }
  step.items.assign(tuple->items.begin() + 1, tuple->items.end());
  config().steps.push_back(std::move(step));
  return true;
}

DecodedLine decode_ansor(std::string_view line) { return AnsorDecoder().decode(line); }

}  // namespace opbench
