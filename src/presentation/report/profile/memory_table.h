#pragma once

#include <string>

#include "measuring/results/profile_result.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// The memory of every engine and thread count: what was planned for values, beside the most that
/// must be kept at once; the weights; and the peak of the engine process, beside that of the engine
/// `rival` if it was measured too. `width` 0: no limit.
std::string memory_text(const ProfileResult& result, int width, const TextStyle& style,
                        const std::string& rival);

/// The same as Markdown.
std::string memory_markdown(const ProfileResult& result, const std::string& rival);

}  // namespace opbench
