#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// `0,2-5` → {0, 2, 3, 4, 5}. `kInvalidInput` quoting what is no number, a range that runs
/// backwards, a CPU named twice, an empty list.
Result<std::vector<int>> parse_cpu_list(std::string_view text);

/// {0, 2, 3, 4, 5} → `0,2-5`.
std::string cpu_list_text(std::vector<int> cpus);

}  // namespace opbench
