#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/profile_result.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {

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

/// Half the width of the interval over the median: `0.6 %`; empty without a time.
std::string precision_text(const std::optional<Measurement>& time);

/// `halide, 2 threads`
std::string run_name(const EngineResult& run);

/// `halide 0.1.0 (halide 14.0.0), 2 threads on CPUs 0,1`
std::string engine_text(const EngineResult& engine);

}  // namespace opbench
