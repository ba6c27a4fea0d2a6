#include "opbench/base/error.h"

namespace opbench {

std::string to_text(const Error& error) {
  std::string text = "error: " + error.message + "\n";
  for (const Fact& fact : error.facts) text += "  " + fact.label + ": " + fact.text + "\n";
  return text;
}

}  // namespace opbench
