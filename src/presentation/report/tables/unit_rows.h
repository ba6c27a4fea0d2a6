#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/profile_result.h"
#include "presentation/report/tables/text_table.h"

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

/// `ms`, and where the run's mode is a cold one, in which mode these are: `ms cold`, `ms hot`.
std::string unit_in(const std::string& unit, const std::string& mode, const std::string& cache);

/// How the units of an engine are shown.
struct UnitTableOptions {
  std::string cache = "hot";             ///< the mode of the run
  std::vector<double> percentiles = {};  ///< of the times alone
};

/// The units of one engine, as rows for people: short numbers, and in the lines below a row why it
/// failed, which engine is wrong there, and the command that repeats it.
TextTable unit_table(const EngineResult& engine, const UnitTableOptions& options = {});

/// Whether the run was interrupted before the unit was measured alone: it has not failed.
bool is_unmeasured(const UnitResult& unit);

/// Whether the totals of the rows add up to the model: none was left out by an interruption.
bool has_all_totals(const EngineResult& engine);

/// How many of the first rows reach 90 % of the time together: the key operators.
size_t key_unit_count(const EngineResult& engine);

/// Half the width of the interval over the median: `0.6 %`; empty without a time.
std::string precision_text(const std::optional<Measurement>& time);

/// `halide 0.1.0 (halide 14.0.0), 2 threads on CPUs 0,1`
std::string engine_text(const EngineResult& engine);

}  // namespace opbench
