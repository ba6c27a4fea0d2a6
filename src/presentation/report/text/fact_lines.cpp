#include "presentation/report/text/fact_lines.h"

#include <fmt/format.h>

#include <string_view>

#include "base/text/display_width.h"

namespace opbench {

std::string facts_text(const Facts& facts, const TextStyle& style) {
  constexpr size_t kLabelWidth = 10;
  std::string text;
  std::string_view last;
  for (const auto& [label, fact] : facts) {
    text += style.dim(pad_right(label == last ? "" : label, kLabelWidth)) + fact + "\n";
    last = label;
  }
  return text;
}

std::string facts_markdown(const Facts& facts) {
  std::string text;
  for (const auto& [label, fact] : facts) text += fmt::format("- {}: {}\n", label, fact);
  return text;
}

}  // namespace opbench
