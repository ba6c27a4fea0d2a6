#include "base/text/printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace opbench {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

struct Character {
  size_t bytes = 1;
  uint32_t point = 0;
  bool is_valid = false;
};

/// The character that begins `text`, which is not empty; of Unicode's own table of what is well
/// formed: no overlong forms, no surrogates, nothing above U+10FFFF.
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {1, lead, true};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || bytes > text.size()) return {};
  uint32_t point = lead & (0x7fU >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[i])) return {};
    point = (point << 6U) | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  const bool is_overlong = (bytes == 3 && point < 0x800) || (bytes == 4 && point < 0x10000);
  const bool is_surrogate = point >= 0xd800 && point <= 0xdfff;
  if (is_overlong || is_surrogate || point > 0x10ffff) return {};
  return {bytes, point, true};
}

bool steers(uint32_t point) {
  const bool is_control = point < 0x20 || (point >= 0x7f && point < 0xa0);
  const bool is_direction = (point >= 0x202a && point <= 0x202e) ||
                            (point >= 0x2066 && point <= 0x2069) || point == 0x2028 ||
                            point == 0x2029;
  return is_control || is_direction;
}

std::string escape(uint32_t point) {
  if (point == '\n') return "\\n";
  if (point == '\r') return "\\r";
  if (point == '\t') return "\\t";
  return point < 0x100 ? fmt::format("\\x{:02x}", point) : fmt::format("\\u{:04x}", point);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.is_valid) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (steers(character.point)) {
      result += escape(character.point);
    } else {
      result += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.is_valid) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

std::string shortened_middle(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  size_t end = most * 2 / 3;
  size_t begin = text.size() - (most - end);
  while (end > 0 && is_continuation(text[end])) --end;
  while (begin < text.size() && is_continuation(text[begin])) ++begin;
  return std::string(text.substr(0, end)) + "…" + std::string(text.substr(begin));
}

}  // namespace opbench
