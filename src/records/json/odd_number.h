#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

/// Numbers that JSON has no form for and other programs write all the same.
namespace opbench {

/// Whether NaN or Infinity stands outside the strings of a text, as Python writes them.
bool has_bare_word(std::string_view text);

/// The text with these words as strings of the same length (`"n"`, `"Infini"`, `"-Infini"`), so
/// that every other byte keeps its place. What is no such word stays as it is.
std::string with_quoted_words(std::string_view text);

/// A number, or the one that a word means: "NaN", "Infinity", "-Infinity", "inf", "-inf" in any
/// case, and what with_quoted_words makes of them. Nothing for any other value.
std::optional<double> number_or_word(const Json& value);

}  // namespace opbench
