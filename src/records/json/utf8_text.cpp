#include "records/json/utf8_text.h"

namespace opbench {

std::string to_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  size_t at = 0;
  while (at < text.size()) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char lead = byte(0);
    const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    bool is_valid = length > 0 && lead < 0xF5 && at + length <= text.size();
    for (size_t i = 1; is_valid && i < length; ++i) is_valid = (byte(i) & 0xC0) == 0x80;
    if (is_valid && length > 2) {  // no overlong forms, no surrogates, nothing beyond U+10FFFF
      const unsigned char next = byte(1);
      is_valid = (lead != 0xE0 || next >= 0xA0) && (lead != 0xED || next < 0xA0) &&
                 (lead != 0xF0 || next >= 0x90) && (lead != 0xF4 || next < 0x90);
    }
    result += is_valid ? text.substr(at, length) : std::string_view("\xEF\xBF\xBD");
    at += is_valid ? length : 1;
  }
  return result;
}

}  // namespace opbench
