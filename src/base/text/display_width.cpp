#include "base/text/display_width.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace opbench {
namespace {

struct Range {
  uint32_t first, last;
};

constexpr std::array<Range, 10> kCombining = {{{0x300, 0x36f},
                                               {0x483, 0x489},
                                               {0x591, 0x5bd},
                                               {0x610, 0x61a},
                                               {0x64b, 0x65f},
                                               {0x1ab0, 0x1aff},
                                               {0x200b, 0x200f},
                                               {0x20d0, 0x20ff},
                                               {0xfe00, 0xfe0f},
                                               {0xfe20, 0xfe2f}}};
constexpr std::array<Range, 11> kWide = {{{0x1100, 0x115f},
                                          {0x2e80, 0x303e},
                                          {0x3041, 0x33ff},
                                          {0x3400, 0x4dbf},
                                          {0x4e00, 0x9fff},
                                          {0xa000, 0xa4cf},
                                          {0xac00, 0xd7a3},
                                          {0xf900, 0xfaff},
                                          {0xfe30, 0xfe6f},
                                          {0xff00, 0xff60},
                                          {0x1f300, 0x1faff}}};

template <size_t N>
bool is_in(const std::array<Range, N>& ranges, uint32_t point) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return point >= range.first && point <= range.last;
  });
}

constexpr std::string_view kBreaksAfter = "+,;/|";

struct Glyph {
  size_t bytes = 1;
  size_t columns = 1;
};

/// The character that starts `text`, which is not empty.
Glyph first_glyph(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t bytes = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
  if (bytes == 1 || bytes > text.size()) return {};
  uint32_t point = lead & (0x7fU >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0U) != 0x80U) return {};
    point = (point << 6U) | (byte & 0x3fU);
  }
  return {bytes, is_in(kCombining, point) ? size_t{0}
                 : is_in(kWide, point)    ? size_t{2}
                                          : size_t{1}};
}

}  // namespace

size_t display_width(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    width += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return width;
}

std::string shorten(std::string_view text, size_t width) {
  if (display_width(text) <= width) return std::string(text);
  size_t bytes = 0;
  size_t columns = 0;
  while (true) {
    const Glyph glyph = first_glyph(text.substr(bytes));
    if (columns + glyph.columns + 1 > width) break;
    columns += glyph.columns;
    bytes += glyph.bytes;
  }
  return std::string(text.substr(0, bytes)) + "…";
}

std::vector<std::string> wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  while (display_width(text) > width) {
    size_t end = 0;
    size_t columns = 0;
    size_t break_at = 0;  // bytes of the longest part that ends where a line may
    while (end < text.size()) {
      const Glyph glyph = first_glyph(text.substr(end));
      if (text[end] == ' ' && columns <= width) break_at = end;
      if (columns + glyph.columns > width) break;
      columns += glyph.columns;
      end += glyph.bytes;
      if (kBreaksAfter.find(text[end - 1]) != std::string_view::npos) break_at = end;
    }
    const size_t taken = break_at > 0 ? break_at : std::max<size_t>(end, first_glyph(text).bytes);
    lines.emplace_back(text.substr(0, taken));
    text.remove_prefix(taken);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  if (lines.empty() || !text.empty()) lines.emplace_back(text);
  return lines;
}

std::string pad_right(std::string_view text, size_t width) {
  const size_t taken = display_width(text);
  return std::string(text) + std::string(width > taken ? width - taken : 0, ' ');
}

std::string pad_left(std::string_view text, size_t width) {
  const size_t taken = display_width(text);
  return std::string(width > taken ? width - taken : 0, ' ') + std::string(text);
}

}  // namespace opbench
