#pragma once

#include <string>
#include <vector>

#include "measuring/results/rival_rows.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {

/// The units of several engines in one table: a time an engine, and how that stands to the first
/// engine's where both were taken in one place and cache mode. `cache`: the mode of the run.
TextTable rival_table(const std::vector<const EngineResult*>& engines, const Rivals& rivals,
                      const std::string& cache);

}  // namespace opbench
