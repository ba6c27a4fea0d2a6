#include "records/json/python_json.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace opbench {
namespace {

/// One code point of valid UTF-8.
uint32_t take_code_point(std::string_view& text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const uint32_t lead = byte(0);
  const size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  uint32_t code = size == 1 ? lead : lead & (0xFFU >> (size + 1));
  for (size_t i = 1; i < size; ++i) code = code << 6U | (byte(i) & 0x3FU);
  text.remove_prefix(std::min(size, text.size()));
  return code;
}

void append_escape(std::string& text, uint32_t code) {
  fmt::format_to(std::back_inserter(text), "\\u{:04x}", code);
}

void append_items(std::string& text, const std::vector<Argument>& items) {
  text += '[';
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += ", ";
    append_python_argument(text, items[i]);
  }
  text += ']';
}

}  // namespace

void append_python_number(std::string& text, double value) {
  if (std::isnan(value)) {
    text += "NaN";
    return;
  }
  if (std::isinf(value)) {
    text += value < 0 ? "-Infinity" : "Infinity";
    return;
  }
  constexpr int kLeastFixed = -4;
  constexpr int kMostFixed = 15;
  char buffer[40] = {};  // ends in zeros
  const char* end =
      std::to_chars(buffer, buffer + sizeof(buffer) - 1, value, std::chars_format::scientific).ptr;
  const std::string_view digits(buffer, static_cast<size_t>(end - buffer));
  const int exponent = std::atoi(buffer + digits.find('e') + 1);
  if (value != 0 && (exponent < kLeastFixed || exponent > kMostFixed)) {
    text += digits;
    return;
  }
  char* fixed_end =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::fixed).ptr;
  const std::string_view fixed(buffer, static_cast<size_t>(fixed_end - buffer));
  text += fixed;
  if (fixed.find('.') == std::string_view::npos) text += ".0";
}

void append_python_string(std::string& text, std::string_view value) {
  text += '"';
  while (!value.empty()) {
    const uint32_t code = take_code_point(value);
    constexpr std::string_view kControls = "\b\t\n\f\r\"\\";
    constexpr std::string_view kLetters = "btnfr\"\\";
    const size_t control =
        code < 0x80 ? kControls.find(static_cast<char>(code)) : std::string_view::npos;
    if (control != std::string_view::npos) {
      text += '\\';
      text += kLetters[control];
    } else if (code >= 0x20 && code < 0x7F) {
      text += static_cast<char>(code);
    } else if (code < 0x10000) {
      append_escape(text, code);
    } else {
      append_escape(text, 0xD800 + ((code - 0x10000) >> 10U));
      append_escape(text, 0xDC00 + ((code - 0x10000) & 0x3FFU));
    }
  }
  text += '"';
}

void append_python_argument(std::string& text, const Argument& argument) {
  switch (argument.kind) {
    case ArgumentKind::kNull:
      text += "null";
      return;
    case ArgumentKind::kBool:
      text += argument.flag ? "true" : "false";
      return;
    case ArgumentKind::kInt:
      text += std::to_string(argument.integer);
      return;
    case ArgumentKind::kBigInt:
      text += argument.text;
      return;
    case ArgumentKind::kDouble:
      append_python_number(text, argument.real);
      return;
    case ArgumentKind::kString:
    case ArgumentKind::kSymbol:
      append_python_string(text, argument.text);
      return;
    case ArgumentKind::kTuple:
      append_items(text, argument.items);
      return;
    case ArgumentKind::kTensor:
      text += "[\"TENSOR\", ";
      append_items(text, argument.items);
      text += ", ";
      append_python_string(text, argument.text);
      for (const Argument& item : argument.trailing) {
        text += ", ";
        append_python_argument(text, item);
      }
      text += ']';
      return;
  }
}

std::string python_json(const Argument& argument) {
  std::string text;
  append_python_argument(text, argument);
  return text;
}

}  // namespace opbench
