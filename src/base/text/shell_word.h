#pragma once

#include <string>
#include <string_view>

namespace opbench {

/// The word as a shell reads it: as it is where it is plain, else in single quotes.
std::string shell_word(std::string_view word);

}  // namespace opbench
