#include "presentation/report/text/markup_text.h"

#include <algorithm>

namespace opbench {
namespace {

/// Bytes of the UTF-8 character that begins there; 0 where none does, or one that XML forbids.
size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 ? 1 : 0;
  const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return 0;
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool is_overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool is_surrogate = first == 0xED && second > 0x9F;
  const bool is_beyond = first == 0xF4 && second > 0x8F;
  return is_overlong || is_surrogate || is_beyond ? 0 : size;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    const size_t size = character_size(text.substr(i));
    if (size != 1) {
      result += size == 0 ? "?" : text.substr(i, size);
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
    i += std::max<size_t>(size, 1);
  }
  return result;
}

}  // namespace opbench
