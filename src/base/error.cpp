#include "opbench/base/error.h"

#include <algorithm>

namespace opbench {

std::string to_text(const Error& error) {
  std::string text = "error: " + error.message + "\n";
  for (const Fact& fact : error.facts) text += "  " + fact.label + ": " + fact.text + "\n";
  // What was read from a file must not steer the terminal.
  std::ranges::replace_if(
      text, [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }, '?');
  return text;
}

}  // namespace opbench
