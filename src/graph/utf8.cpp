#include "opbench/graph/utf8.h"

#include <cstddef>
#include <cstdint>

namespace opbench {
namespace {

/// Bytes of the character that begins with `first`; 0 for a byte that begins none.
size_t length_of(uint8_t first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// Shorter forms, surrogates and what is beyond U+10FFFF show in the second byte.
bool fits(uint8_t first, uint8_t second) {
  if (first == 0xe0) return second >= 0xa0;
  if (first == 0xed) return second < 0xa0;
  if (first == 0xf0) return second >= 0x90;
  return first != 0xf4 || second < 0x90;
}

}  // namespace

bool is_utf8(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  for (size_t i = 0; i < text.size();) {
    const size_t length = length_of(byte(i));
    if (length == 0 || length > text.size() - i) return false;
    if (length > 1 && !fits(byte(i), byte(i + 1))) return false;
    for (size_t k = 1; k < length; ++k) {
      if ((byte(i + k) & 0xc0) != 0x80) return false;
    }
    i += length;
  }
  return true;
}

}  // namespace opbench
