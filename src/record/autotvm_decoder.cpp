#include "opbench/record/autotvm_decoder.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "opbench/record/knob_rules.h"
#include "opbench/record/python_json.h"

namespace opbench {
namespace {

namespace dom = simdjson::dom;
using Words = std::vector<std::string>;

constexpr JsonPlace kRoot{};
constexpr double kSentinel = 1e8;  ///< costs from here on stand for failures
constexpr int kLastError = 8;

/// Four or six columns of base64, between tabs, of AutoTVM's pickle protocol.
bool is_pickle(std::string_view line) {
  const auto tabs = std::ranges::count(line, '\t');
  return (tabs == 3 || tabs == 5) && line.find('{') == std::string_view::npos;
}

/// `order` if it is not that of `usual`, of which some may be absent.
Words unusual_order(const Words& order, const Words& usual) {
  Words expected;
  for (const std::string& key : usual) {
    if (std::ranges::find(order, key) != order.end()) expected.push_back(key);
  }
  for (const std::string& key : order) {
    if (std::ranges::find(usual, key) == usual.end()) expected.push_back(key);
  }
  return order == expected ? Words() : order;
}

}  // namespace

struct AutotvmDecoder::Fields {
  bool is_old = false;  ///< version 0.1
  std::optional<Element> input, config, result, version, tvm_version;
};

bool AutotvmDecoder::fault(const std::string& code, const JsonPlace& place,
                           const std::string& message) {
  std::string name = place.text();
  for (const std::string_view arguments : {"input[2]", "i[2]"}) {
    if (name.starts_with(arguments)) name = "args" + name.substr(arguments.size());
  }
  issues_.push_back({code, name, message, json_.column(place)});
  return false;
}

void AutotvmDecoder::warn(const std::string& code, const JsonPlace& place,
                          const std::string& message) {
  fault(code, place, message);
  issues_.back().is_warning = true;
}

DecodedLine AutotvmDecoder::decode(std::string_view line) {
  record_ = TuningRecord{};
  issues_.clear();
  if (is_pickle(line)) {
    issues_.push_back({"E_PICKLE", "", "a row of Python pickles, which can hold programs", 1});
    return {std::nullopt, issues_};
  }
  const Element* value = json_.parse(line, issues_);
  const bool is_good = value != nullptr && decode_object(*value);
  if (!is_good) return {std::nullopt, issues_};
  return {std::move(record_), issues_};
}

bool AutotvmDecoder::decode_object(const Element& line) {
  Fields fields;
  if (!read_fields(line, fields) || !check_version(fields)) return false;
  record_.origin.format = fields.is_old ? TuningFormat::kAutotvm01 : TuningFormat::kAutotvm02;
  const JsonPlace result = kRoot.field(fields.is_old ? "r" : "result");
  const bool has_input = read_input(*fields.input, fields.is_old);
  const bool has_config =
      fields.is_old || read_config(*fields.config, kRoot.field("config"), false);
  const bool has_result = read_result(*fields.result, result);
  return has_input && has_config && has_result;
}

bool AutotvmDecoder::read_fields(const Element& line, Fields& fields) {
  dom::object object;
  if (line.get_object().get(object) != simdjson::SUCCESS) {
    return fault("E_KEYS", kRoot, "a record is a JSON object");
  }
  fields.is_old =
      line["input"].error() != simdjson::SUCCESS && line["i"].error() == simdjson::SUCCESS;
  static const Words names02 = {"input", "config", "result", "version", "tvm_version"};
  static const Words names01 = {"i", "r", "v"};
  const Words& names = fields.is_old ? names01 : names02;
  std::array<std::optional<Element>*, 5> places = {&fields.input, &fields.config, &fields.result,
                                                   &fields.version, &fields.tvm_version};
  if (fields.is_old) places = {&fields.input, &fields.result, &fields.version, nullptr, nullptr};
  Words order;
  for (const dom::key_value_pair pair : object) {
    const std::string key(pair.key);
    if (std::ranges::find(order, key) != order.end()) {
      return fault("E_KEYS", kRoot.field(key), "key \"" + key + "\" stands there twice");
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
    if (!*places[i]) return fault("E_KEYS", kRoot, "key \"" + names[i] + "\" is missing");
  }
  return true;
}

bool AutotvmDecoder::check_version(const Fields& fields) {
  const JsonPlace place = kRoot.field(fields.is_old ? "v" : "version");
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
  return fault("E_VERSION", kRoot.field("tvm_version"), "tvm_version is no string");
}

bool AutotvmDecoder::read_config(const Element& value, const JsonPlace& place, bool is_old) {
  dom::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) {
    return fault("E_KEYS", place, "a config is an object");
  }
  static const Words names02 = {"index", "code_hash", "entity"};
  static const Words names01 = {"i", "t", "c", "e"};
  const Words& names = is_old ? names01 : names02;
  Words order;
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

bool AutotvmDecoder::read_result(const Element& value, const JsonPlace& place) {
  const auto items = items_of(value, 4);
  if (!items) {
    return fault("E_RESULT_ARITY", place, "needs 4 items: costs, error_no, all_cost, timestamp");
  }
  TuningResult& result = record_.result;
  int64_t error_no = 0;
  const bool is_int = (*items)[1].get_int64().get(error_no) == simdjson::SUCCESS;
  if (!is_int || error_no < 0 || error_no > kLastError) {
    return fault("E_ERRNO", place.item(1),
                 "error_no " + json_.python_text((*items)[1]) + " is not one of 0 to 8");
  }
  result.error_no = static_cast<int>(error_no);
  return read_costs((*items)[0], place.item(0)) &&
         read_time((*items)[2], place.item(2), result.all_cost_s, result.all_cost_is_int) &&
         read_time((*items)[3], place.item(3), result.timestamp, result.timestamp_is_int);
}

bool AutotvmDecoder::read_costs(const Element& value, const JsonPlace& place) {
  dom::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS || array.size() == 0) {
    return fault("E_COSTS", place, "costs are a list of at least one number");
  }
  std::vector<double> costs;
  for (const Element element : array) {
    const std::optional<double> cost = number_of(element);
    if (!cost) {
      return fault("E_COSTS", place.item(costs.size()),
                   "cost " + json_.python_text(element) + " is no finite number");
    }
    costs.push_back(*cost);
  }
  return check_costs(std::move(costs), place);
}

bool AutotvmDecoder::check_costs(std::vector<double> costs, const JsonPlace& place) {
  TuningResult& result = record_.result;
  if (result.error_no != 0) {
    result.failure_sentinel = costs.front();
    if (costs.size() > 1 || costs.front() < kSentinel) {
      warn("E_COSTS", place, "costs of a failure are dropped");
    }
    return true;
  }
  for (size_t i = 0; i < costs.size(); ++i) {
    if (costs[i] >= kSentinel) {
      return fault("E_SENTINEL", place.item(i),
                   fmt::format("cost {} stands for a failure, but error_no is 0", costs[i]));
    }
    if (costs[i] <= 0) {
      return fault("E_COSTS", place.item(i), fmt::format("cost {} is not above 0", costs[i]));
    }
  }
  result.costs_s = std::move(costs);
  return true;
}

bool AutotvmDecoder::read_time(const Element& value, const JsonPlace& place,
                               std::optional<double>& time, bool& is_int) {
  time = number_of(value);
  is_int = value.type() != dom::element_type::DOUBLE;
  if (time) return true;
  return fault("E_RESULT_ARITY", place, json_.python_text(value) + " is no number");
}

DecodedLine decode_autotvm(std::string_view line) { return AutotvmDecoder().decode(line); }

}  // namespace opbench
