#include "base/errors/error_line.h"

namespace opbench {

std::string one_line_text(const Error& error) {
  std::string text = error.message;
  for (const Fact& fact : error.facts) text += "; " + fact.label + ": " + fact.text;
  return text;
}

}  // namespace opbench
