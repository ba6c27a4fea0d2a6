#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/errors/error.h"

namespace opbench {

/// The bytes of the mark (EF BB BF) that some editors write before UTF-8: 3 where the text begins
/// with it, else 0. Every reader of text passes over it.
size_t utf8_mark_bytes(std::string_view begin);

/// `kInvalidInput` if the text begins with the mark of UTF-16 or UTF-32, which nothing here reads;
/// the error says how to convert the file.
Result<void> check_encoding(std::string_view begin, const std::string& path);

/// `read_file` for text: without the mark; `check_encoding`.
Result<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace opbench
