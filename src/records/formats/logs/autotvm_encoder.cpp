#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "records/formats/logs/tuning_codec.h"
#include "records/json/json_line.h"
#include "records/json/python_json.h"

namespace opbench {
namespace {

using AutotvmEncoderWords = std::vector<std::string>;

/// Fields of an object in the order wanted.
class ObjectText {
 public:
  void add(const std::string& key, std::string value) {
    fields_.push_back({key, std::move(value)});
  }

  /// First those of `order`, then the others as they were added.
  std::string text(const AutotvmEncoderWords& order) const {
    std::vector<const Field*> chosen;
    for (const std::string& key : order) {
      const auto field = std::ranges::find(fields_, key, &Field::key);
      if (field != fields_.end()) chosen.push_back(&*field);
    }
    for (const Field& field : fields_) {
      if (std::ranges::find(order, field.key) == order.end()) chosen.push_back(&field);
    }
    std::string result = "{";
    for (const Field* field : chosen) {
      if (result.size() > 1) result += ", ";
      append_python_string(result, field->key);
      result += ": " + field->value;
    }
    return result + "}";
  }

 private:
  struct Field {
    std::string key;
    std::string value;
  };
  std::vector<Field> fields_;
};

std::string string_text(const std::string& value) {
  std::string text;
  append_python_string(text, value);
  return text;
}

bool has_symbol(const Argument& argument) {
  return argument.kind == ArgumentKind::kSymbol ||
         std::ranges::any_of(argument.items, has_symbol) ||
         std::ranges::any_of(argument.trailing, has_symbol);
}

std::string arguments_text(const std::vector<NamedArgument>& arguments) {
  std::string text = "[";
  for (const NamedArgument& argument : arguments) {
    if (text.size() > 1) text += ", ";
    append_python_argument(text, argument.value);
  }
  return text + "]";
}

std::string kwargs_text(const std::vector<NamedArgument>& kwargs) {
  ObjectText object;
  for (const NamedArgument& argument : kwargs) {
    object.add(argument.name, python_json(argument.value));
  }
  return object.text({});
}

std::string config_text(const KnobConfig& config, const AutotvmEncoderWords& order) {
  std::string knobs = "[";
  for (const KnobValue& knob : config.knobs) {
    if (knobs.size() > 1) knobs += ", ";
    knobs += "[" + string_text(knob.name) + ", " + string_text(knob.kind) + ", ";
    append_python_argument(knobs, knob.value);
    knobs += "]";
  }
  ObjectText object;
  object.add("index", std::to_string(config.index));
  object.add("code_hash", config.code_hash ? string_text(*config.code_hash) : "null");
  object.add("entity", knobs + "]");
  return object.text(order);
}

void append_time(std::string& text, double time, bool is_int) {
  constexpr double kExact = 9e15;  // integers of a double
  if (is_int && time > -kExact && time < kExact) {
    text += std::to_string(static_cast<int64_t>(time));
  } else {
    append_python_number(text, time);
  }
}

std::string result_text(const TuningResult& result) {
  constexpr double kFailed = 1e9;
  std::vector<double> costs = result.costs_s;
  if (result.error_no != 0) costs = {result.failure_sentinel.value_or(kFailed)};
  std::string text = "[[";
  for (size_t i = 0; i < costs.size(); ++i) {
    if (i > 0) text += ", ";
    append_python_number(text, costs[i]);
  }
  text += "], " + std::to_string(result.error_no) + ", ";
  append_time(text, result.all_cost_s.value_or(0), result.all_cost_is_int);
  text += ", ";
  append_time(text, result.timestamp.value_or(0), result.timestamp_is_int);
  return text + "]";
}

void add_extras(ObjectText& object, const std::string& extras) {
  JsonLine json;
  std::vector<RecordIssue> issues;
  const simdjson::dom::element* value = extras.empty() ? nullptr : json.parse(extras, issues);
  if (value == nullptr || !value->is_object()) return;
  const simdjson::dom::object fields = value->get_object().value_unsafe();
  for (const simdjson::dom::key_value_pair field : fields) {
    object.add(std::string(field.key), json.python_text(field.value));
  }
}

Result<void> check_form(const TuningRecord& record) {
  const auto is_symbolic = [](const NamedArgument& named) { return has_symbol(named.value); };
  if (!std::holds_alternative<KnobConfig>(record.config)) {
    return Error{ErrorCode::kInvalidInput,
                 "AutoTVM has no form for the config of task \"" + record.task + "\""};
  }
  if (std::ranges::any_of(record.arguments, is_symbolic)) {
    return Error{ErrorCode::kInvalidInput,
                 "AutoTVM has no form for the symbolic arguments of task \"" + record.task + "\""};
  }
  return {};
}

}  // namespace

Result<std::string> encode_autotvm(const TuningRecord& record) {
  OPBENCH_CHECK(check_form(record));
  if (record.origin.format == TuningFormat::kAutotvm01) {
    OPBENCH_TRY(const TuningRecord upgraded, upgrade_autotvm(record));
    return encode_autotvm(upgraded);
  }
  ObjectText object;
  object.add("input", "[" + string_text(record.target) + ", " + string_text(record.task) + ", " +
                          arguments_text(record.arguments) + ", " + kwargs_text(record.kwargs) +
                          "]");
  object.add("config",
             config_text(std::get<KnobConfig>(record.config), record.origin.config_order));
  object.add("result", result_text(record.result));
  object.add("version", "0.2");
  if (record.tvm_version) object.add("tvm_version", string_text(*record.tvm_version));
  add_extras(object, record.extras_json);
  return object.text(record.origin.key_order);
}

}  // namespace opbench
