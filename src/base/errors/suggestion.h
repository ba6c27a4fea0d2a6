#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// The name in `known` nearest to `name` by edit distance with transpositions (Damerau 1964), or
/// empty when none is within a third of its length (at least one edit).
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// `unknown <kind> "<name>"` with the facts `known:` and, when one is near, `did you mean:`.
/// Code kInvalidInput.
Error unknown_name(std::string_view kind, std::string_view name,
                   const std::vector<std::string>& known);

/// `a, b, c`
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

}  // namespace opbench
