#pragma once

#include <cstddef>
#include <string>

#include "measuring/results/profile_result.h"

namespace opbench {

/// In which cache mode each kind of an engine's times was taken: what runs inside its model finds
/// the caches hot, whatever the run's mode is.
struct TimeCaches {
  std::string alone = "hot";
  std::string in_place = "hot";
  std::string total = "hot";  ///< and shares
};

/// `cache`: the mode of the run.
TimeCaches caches_of(const EngineResult& engine, const std::string& cache);

/// The clock of an engine's times.
TimeClock clock_of(const EngineResult& engine);

/// Whether the run was interrupted before the unit was measured alone: it has not failed.
bool is_unmeasured(const UnitResult& unit);

/// Whether the totals of the rows add up to the model: none was left out by an interruption.
bool has_all_totals(const EngineResult& engine);

/// How many of the first rows reach 90 % of the time together: the key operators.
size_t key_unit_count(const EngineResult& engine);

}  // namespace opbench
