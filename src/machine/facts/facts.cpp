#include "machine/facts/facts.h"

#include <fstream>
#include <iterator>
#include <sstream>

namespace opbench {

std::optional<std::string> read_text(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return std::nullopt;
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

std::optional<std::string> value_of(std::string_view text, std::string_view key) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || !line.starts_with(key)) continue;
    const size_t end_of_key = line.find_last_not_of(" \t", colon - 1);
    if (end_of_key + 1 != key.size()) continue;
    const size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return std::nullopt;
}

}  // namespace opbench
