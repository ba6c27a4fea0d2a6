#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/printable.h"

namespace opbench {

/// Columns that UTF-8 text takes on a terminal: combining marks none, East Asian wide characters
/// and emoji two (Unicode Standard Annex 11), bytes that are not UTF-8 one each.
size_t display_width(std::string_view text);

/// The text, or as much of it as fits with `…` at its end. `width` of at least 1.
std::string shorten(std::string_view text, size_t width);

/// The text with spaces up to `width` columns, after it or before it.
std::string pad_right(std::string_view text, size_t width);
std::string pad_left(std::string_view text, size_t width);

/// The text in lines of at most `width` columns; at least one line. Lines break after a space,
/// which is left out, or after one of `+,;/|`. A word is broken only if it is wider than a line.
std::vector<std::string> wrapped(std::string_view text, size_t width);

}  // namespace opbench
