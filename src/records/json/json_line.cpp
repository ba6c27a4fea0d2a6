#include "records/json/json_line.h"

#include <simdjson.h>

#include "records/json/python_json.h"

namespace opbench {
namespace {

namespace dom = simdjson::dom;

/// What stands at a place, for messages.
std::string text_at(std::string_view text, size_t offset) {
  constexpr size_t kShown = 20;
  return offset < text.size() ? " at \"" + std::string(text.substr(offset, kShown)) + "\"" : "";
}

}  // namespace

std::optional<std::string> string_of(const dom::element& value) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) return {};
  return std::string(text);
}

std::optional<double> number_of(const dom::element& value) {
  double number = 0;
  if (value.get_double().get(number) != simdjson::SUCCESS) return {};
  return number;
}

/// The items of an array of `count`, nothing if it is none.
std::optional<std::vector<dom::element>> items_of(const dom::element& value, size_t count) {
  dom::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS || array.size() != count) return {};
  return std::vector<dom::element>(array.begin(), array.end());
}

struct JsonLine::Parts {
  dom::parser parser;
  dom::element root;
  std::string padded;  ///< the text, with the room behind it that the parser asks for
  std::string_view text;
  char mark = 0;  ///< of strings that stand for numbers; 0: there are none

  simdjson::error_code parse(std::string_view line) {
    padded.reserve(line.size() + simdjson::SIMDJSON_PADDING);
    padded.assign(line);
    return parser.parse(padded.data(), padded.size(), false).get(root);
  }
};

JsonLine::JsonLine() : parts_(std::make_unique<Parts>()) {}
JsonLine::JsonLine(JsonLine&&) noexcept = default;
JsonLine& JsonLine::operator=(JsonLine&&) noexcept = default;
JsonLine::~JsonLine() = default;

const dom::element* JsonLine::parse(std::string_view text, std::vector<RecordIssue>& issues) {
  parts_->text = text;
  parts_->mark = 0;
  const simdjson::error_code error = parts_->parse(text);
  if (error == simdjson::SUCCESS) return &parts_->root;
  size_t offset = first_invalid_utf8(text);
  std::string reason = "a byte that is not UTF-8";
  if (offset == text.size()) {
    const JsonScan scan(text);
    const auto quoted = scan.with_words_quoted();
    if (quoted && parts_->parse(quoted->text) == simdjson::SUCCESS) {
      parts_->mark = quoted->mark;
      return &parts_->root;
    }
    offset = scan.fault() ? scan.fault()->offset : 0;
    reason = scan.fault() ? scan.fault()->reason : std::string(simdjson::error_message(error));
    reason += text_at(text, scan.fault() ? offset : text.size());
  }
  issues.push_back({"E_JSON", "", "not JSON: " + reason, static_cast<int64_t>(offset) + 1});
  return nullptr;
}

std::string_view JsonLine::special_number(std::string_view string) const {
  const bool is_one = parts_->mark != 0 && string.starts_with(parts_->mark);
  return is_one ? string.substr(1) : std::string_view();
}

int64_t JsonLine::column(const JsonPlace& place) const {
  return static_cast<int64_t>(JsonScan(parts_->text).offset_of(place)) + 1;
}

std::string_view JsonLine::text_of(const JsonPlace& place) const {
  return JsonScan(parts_->text).text_of(place);
}

std::optional<Argument> JsonLine::argument(const dom::element& value) const {
  switch (value.type()) {
    case dom::element_type::NULL_VALUE:
      return Argument::null();
    case dom::element_type::BOOL:
      return Argument::of_bool(value.get_bool().value_unsafe());
    case dom::element_type::INT64:
      return Argument::of_int(value.get_int64().value_unsafe());
    case dom::element_type::DOUBLE:
      return Argument::of_double(value.get_double().value_unsafe());
    case dom::element_type::UINT64:
      return Argument{.kind = ArgumentKind::kBigInt,
                      .text = std::to_string(value.get_uint64().value_unsafe())};
    case dom::element_type::STRING: {
      const std::string_view text = value.get_string().value_unsafe();
      const std::string_view number = special_number(text);
      if (number.empty()) return Argument::of_string(std::string(text));
      const bool is_integer = number.find_first_not_of("-0123456789") == std::string_view::npos;
      if (!is_integer) return {};
      return Argument{.kind = ArgumentKind::kBigInt, .text = std::string(number)};
    }
    case dom::element_type::ARRAY: {
      std::vector<Argument> items;
      const dom::array array = value.get_array().value_unsafe();
      for (const dom::element item : array) {
        std::optional<Argument> argument = this->argument(item);
        if (!argument) return {};
        items.push_back(std::move(*argument));
      }
      return Argument::of_tuple(std::move(items));
    }
    default:
      return {};
  }
}

std::string JsonLine::python_text(const dom::element& value) const {
  std::string text;
  if (value.is_object()) {
    const dom::object object = value.get_object().value_unsafe();
    for (const dom::key_value_pair field : object) {
      text += text.empty() ? "{" : ", ";
      append_python_string(text, field.key);
      text += ": " + python_text(field.value);
    }
    return text.empty() ? "{}" : text + "}";
  }
  if (value.is_array()) {
    const dom::array array = value.get_array().value_unsafe();
    for (const dom::element item : array) {
      text += (text.empty() ? "[" : ", ") + python_text(item);
    }
    return text.empty() ? "[]" : text + "]";
  }
  if (value.is_string()) {
    const std::string_view number = special_number(value.get_string().value_unsafe());
    if (!number.empty()) return std::string(number);
  }
  return python_json(argument(value).value_or(Argument::null()));
}

}  // namespace opbench
