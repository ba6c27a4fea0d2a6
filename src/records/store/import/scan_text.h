#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

/// Steps through a line that ends with a newline or a zero, which no step goes beyond: what is
/// expected is taken and passed, anything else is refused.
namespace opbench {

constexpr int kMostDigits = 18;  ///< a number of so many fits 64 bits

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <size_t N>
bool take(const char*& at, const char (&text)[N]) {
  if (std::memcmp(at, text, N - 1) != 0) return false;
  at += N - 1;
  return true;
}

/// Characters of a string up to its quote: plain ASCII without escapes.
inline bool take_plain(const char*& at, std::string_view& text) {
  const char* const begin = at;
  while (*at != '"') {
    const auto c = static_cast<unsigned char>(*at);
    if (c < ' ' || c > '~' || c == '\\') return false;
    ++at;
  }
  text = {begin, static_cast<size_t>(at - begin)};
  ++at;
  return true;
}

inline void put(char*& out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  out += text.size();
}

}  // namespace opbench
