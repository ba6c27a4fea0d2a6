#include "base/errors/error.h"

#include <string_view>

#include "base/text/printable.h"

namespace opbench {
namespace {

/// What stands between quotes was given by others and may be of any length.
std::string with_short_quotes(std::string_view text) {
  constexpr size_t kMostQuoted = 240;
  std::string result;
  while (!text.empty()) {
    const size_t open = text.find('"');
    const size_t close = open == text.npos ? text.npos : text.find('"', open + 1);
    if (close == text.npos) return result.append(text);
    result += text.substr(0, open + 1);
    result += shortened_middle(text.substr(open + 1, close - open - 1), kMostQuoted);
    result += '"';
    text.remove_prefix(close + 1);
  }
  return result;
}

/// Lines after the first are indented further, so that none looks like another fact.
std::string indented(std::string_view text) {
  std::string result;
  for (size_t begin = 0;;) {
    const size_t end = text.find('\n', begin);
    result += printable(text.substr(begin, end == text.npos ? end : end - begin));
    if (end == text.npos) return result;
    result += "\n    ";
    begin = end + 1;
  }
}

}  // namespace

std::string to_text(const Error& error) {
  constexpr size_t kMostMessage = 1200;
  constexpr size_t kMostFact = 8000;
  const std::string message = with_short_quotes(printable(error.message));
  std::string text = "error: " + shortened_middle(message, kMostMessage) + "\n";
  for (const Fact& fact : error.facts) {
    text += "  " + printable(fact.label) + ": ";
    text += indented(shortened_middle(fact.text, kMostFact)) + "\n";
  }
  return text;
}

}  // namespace opbench
