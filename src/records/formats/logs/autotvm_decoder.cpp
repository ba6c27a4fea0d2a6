#include "records/formats/logs/autotvm_decoder.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "records/json/python_json.h"
#include "records/record/knob_rules.h"

namespace opbench {
namespace {

namespace dom = simdjson::dom;
using AutotvmDecoderWords = std::vector<std::string>;

constexpr JsonPlace kAutotvmDecoderRoot{};

/// Four or six columns of base64, between tabs, of AutoTVM's pickle protocol.
bool is_pickle(std::string_view line) {
  const auto tabs = std::ranges::count(line, '\t');
  return (tabs == 3 || tabs == 5) && line.find('{') == std::string_view::npos;
}

/// `order` if it is not that of `usual`, of which some may be absent.
AutotvmDecoderWords unusual_order(const AutotvmDecoderWords& order,
                                  const AutotvmDecoderWords& usual) {
  AutotvmDecoderWords expected;
  for (const std::string& key : usual) {
    if (std::ranges::find(order, key) != order.end()) expected.push_back(key);
  }
  for (const std::string& key : order) {
    if (std::ranges::find(usual, key) == usual.end()) expected.push_back(key);
  }
  return order == expected ? AutotvmDecoderWords() : order;
}

}  // namespace

struct AutotvmDecoder::Fields {
  bool is_old = false;  ///< version 0.1
  std::optional<Element> input, config, result, version, tvm_version;
};

DecodedLine AutotvmDecoder::decode(std::string_view line) {
  begin();
  record_.config = KnobConfig{};
  if (is_pickle(line)) {
    issues_.push_back({"E_PICKLE", "", "a row of Python pickles, which can hold programs", 1});
    return end(false);
  }
  const Element* value = json_.parse(line, issues_);
  return end(value != nullptr && decode_object(*value));
}

bool AutotvmDecoder::decode_object(const Element& line) {
  Fields fields;
  if (!read_fields(line, fields) || !check_version(fields)) return false;
  record_.origin.format = fields.is_old ? TuningFormat::kAutotvm01 : TuningFormat::kAutotvm02;
  const JsonPlace result = kAutotvmDecoderRoot.field(fields.is_old ? "r" : "result");
  const bool has_input = read_input(*fields.input, fields.is_old);
  const bool has_config =
      fields.is_old || read_config(*fields.config, kAutotvmDecoderRoot.field("config"), false);
  const bool has_result = read_result(*fields.result, result);
  return has_input && has_config && has_result;
}

bool AutotvmDecoder::read_fields(const Element& line, Fields& fields) {
  dom::object object;
  if (line.get_object().get(object) != simdjson::SUCCESS) {
    return fault("E_KEYS", kAutotvmDecoderRoot, "a record is a JSON object");
  }
  fields.is_old =
      line["input"].error() != simdjson::SUCCESS && line["i"].error() == simdjson::SUCCESS;
  static const AutotvmDecoderWords kNewNames = {"input", "config", "result", "version",
                                                "tvm_version"};
  static const AutotvmDecoderWords kOldNames = {"i", "r", "v"};
  const AutotvmDecoderWords& names = fields.is_old ? kOldNames : kNewNames;
  std::array<std::optional<Element>*, 5> places = {&fields.input, &fields.config, &fields.result,
                                                   &fields.version, &fields.tvm_version};
  if (fields.is_old) places = {&fields.input, &fields.result, &fields.version, nullptr, nullptr};
  AutotvmDecoderWords order;
  for (const dom::key_value_pair pair : object) {
    const std::string key(pair.key);
    if (std::ranges::find(order, key) != order.end()) {
      return fault("E_KEYS", kAutotvmDecoderRoot.field(key),
                   "key \"" + key + "\" stands there twice");
    }
    order.push_back(key);
    const auto name = std::ranges::find(names, key);
    if (name != names.end()) {
      *places[static_cast<size_t>(name - names.begin())] = pair.value;
      continue;
    }
    record_.extras_json += record_.extras_json.empty() ? "{" : ", ";
    append_python_string(record_.extras_json, key);
    record_.extras_json += ": " + json_.python_text(pair.value);
  }
  if (!record_.extras_json.empty()) record_.extras_json += "}";
  record_.origin.key_order = unusual_order(order, names);
  for (size_t i = 0; i < names.size() && names[i] != "tvm_version"; ++i) {
    if (!*places[i])
      return fault("E_KEYS", kAutotvmDecoderRoot, "key \"" + names[i] + "\" is missing");
  }
  return true;
}

bool AutotvmDecoder::check_version(const Fields& fields) {
  const JsonPlace place = kAutotvmDecoderRoot.field(fields.is_old ? "v" : "version");
  const double expected = fields.is_old ? 0.1 : 0.2;
  const std::optional<double> version = number_of(*fields.version);
  if (!version || *version != expected) {
    return fault("E_VERSION", place,
                 fmt::format("log version {} where {} belongs; known: 0.1, 0.2",
                             json_.python_text(*fields.version), expected));
  }
  record_.origin.format_version = fields.is_old ? "0.1" : "0.2";
  if (!fields.tvm_version) return true;
  record_.tvm_version = string_of(*fields.tvm_version);
  if (record_.tvm_version) return true;
  return fault("E_VERSION", kAutotvmDecoderRoot.field("tvm_version"), "tvm_version is no string");
}

bool AutotvmDecoder::read_config(const Element& value, const JsonPlace& place, bool is_old) {
  dom::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) {
    return fault("E_KEYS", place, "a config is an object");
  }
  static const AutotvmDecoderWords kNewNames = {"index", "code_hash", "entity"};
  static const AutotvmDecoderWords kOldNames = {"i", "t", "c", "e"};
  const AutotvmDecoderWords& names = is_old ? kOldNames : kNewNames;
  AutotvmDecoderWords order;
  for (const dom::key_value_pair pair : object) {
    const std::string key(pair.key);
    if (std::ranges::find(order, key) != order.end()) {
      return fault("E_KEYS", place.field(key), "key \"" + key + "\" stands there twice");
    }
    order.push_back(key);
    if (std::ranges::find(names, key) == names.end()) {
      warn("E_KEYS", place.field(key), "unknown key \"" + key + "\" of a config is dropped");
    }
  }
  const auto part = [&](size_t i) { return value[names[i]]; };
  for (const size_t i : {size_t{0}, names.size() - 1}) {
    if (part(i).error() != simdjson::SUCCESS) {
      return fault("E_KEYS", place, "key \"" + names[i] + "\" of the config is missing");
    }
  }
  record_.origin.config_order = unusual_order(order, names);
  if (part(0).get_uint64().get(config().index) != simdjson::SUCCESS) {
    return fault("E_KNOB_VALUE", place.field(names[0]), "the index is no integer from 0 on");
  }
  const auto hash = part(names.size() - 2);
  if (hash.error() == simdjson::SUCCESS && !hash.is_null()) {
    config().code_hash = string_of(hash.value_unsafe());
    if (!config().code_hash) {
      return fault("E_KNOB_VALUE", place.field(names[names.size() - 2]),
                   "the code hash is neither text nor null");
    }
  }
  if (is_old && part(1).error() == simdjson::SUCCESS) {
    record_.template_key = string_of(part(1).value_unsafe());
  }
  return read_knobs(part(names.size() - 1).value_unsafe(), place.field(names.back()));
}

bool AutotvmDecoder::read_knobs(const Element& value, const JsonPlace& place) {
  dom::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) {
    return fault("E_KNOB_VALUE", place, "knobs are a list");
  }
  for (const Element element : array) {
    if (!read_knob(element, place.item(config().knobs.size()))) return false;
  }
  return true;
}

bool AutotvmDecoder::read_knob(const Element& value, const JsonPlace& place) {
  const auto items = items_of(value, 3);
  const auto name = items ? string_of((*items)[0]) : std::nullopt;
  const auto kind = items ? string_of((*items)[1]) : std::nullopt;
  if (!name || !kind) return fault("E_KNOB_VALUE", place, "a knob is [name, kind, value]");
  std::optional<Argument> choice = json_.argument((*items)[2]);
  if (!choice) return fault("E_KNOB_VALUE", place.item(2), "a knob's value is no object");
  KnobValue knob{*name, *kind, std::move(*choice)};
  const KnobFault wrong = check_knob(knob);
  if (!wrong.code.empty()) {
    const size_t where = wrong.code == "E_KNOB_KIND" ? 1 : 2;
    return fault(wrong.code, place.item(where), wrong.message);
  }
  config().knobs.push_back(std::move(knob));
  return true;
}

DecodedLine decode_autotvm(std::string_view line) { return AutotvmDecoder().decode(line); }

}  // namespace opbench
