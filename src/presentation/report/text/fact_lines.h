#pragma once

#include <string>
#include <utility>
#include <vector>

#include "presentation/report/text/text_style.h"

namespace opbench {

/// The head of a report: a label, and what it stands for. Printable text.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// One a line, a label that is repeated shown once.
std::string facts_text(const Facts& facts, const TextStyle& style);

/// The same as a list in Markdown.
std::string facts_markdown(const Facts& facts);

}  // namespace opbench
