#pragma once

#include <string>
#include <vector>

#include "measuring/results/finding.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// For people: what to do first, with the gain of the model that is expected (predicted) and, where
/// it was tried, the one that was measured. `width` 0: no limit.
std::string findings_text(const std::vector<Finding>& findings, int width, const TextStyle& style);

/// The same as Markdown.
std::string findings_markdown(const std::vector<Finding>& findings);

}  // namespace opbench
