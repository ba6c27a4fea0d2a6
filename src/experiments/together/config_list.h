#pragma once

#include <cstddef>
#include <vector>

#include "experiments/together/unit_config.h"

namespace opbench {

/// The configs that no other one beats: none is as good in time on one thread, resident bytes and
/// DRAM bytes and better in one of them. By time, at most `most`: the fastest, then the others that
/// keep the fewest bytes resident. Of equals the first stays.
std::vector<UnitConfig> pareto_list(const std::vector<UnitConfig>& configs, size_t most);

}  // namespace opbench
