#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "planning/plans/execution_plan.h"

namespace opbench {

/// How two units share two workers.
enum class Arrangement {
  kSequential,   ///< the first, then the second, each on both workers
  kSideBySide,   ///< each on a worker of its own
  kHelpsFirst,   ///< side by side; the worker that ends the second unit then helps with the first
  kHelpsSecond,  ///< the same with the units exchanged
};

/// `sequential`, `side by side`, `side by side, then both on the first`, `… on the second`
std::string_view name_of(Arrangement arrangement);
/// Nothing for another text.
std::optional<Arrangement> parse_arrangement(std::string_view name);

/// Every arrangement, in the order above.
const std::vector<Arrangement>& all_arrangements();

/// Units 0 and 1 on workers 0 and 1.
ExecutionPlan plan_of(Arrangement arrangement);

}  // namespace opbench
