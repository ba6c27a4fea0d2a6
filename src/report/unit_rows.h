#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "opbench/measure/profile_result.h"
#include "opbench/report/text_table.h"

namespace opbench {

/// The units of one engine, as rows for people: short numbers, and in the lines below a row why it
/// failed and the command that repeats it.
TextTable unit_table(const EngineResult& engine);

/// How many of the first rows reach 90 % of the time together: the key operators.
size_t key_unit_count(const EngineResult& engine);

/// Half the width of the interval over the median: `0.6 %`; empty without a time.
std::string precision_text(const std::optional<Measurement>& time);

/// `halide 0.1.0 (halide 14.0.0), 2 threads on CPUs 0,1`
std::string engine_text(const EngineResult& engine);

}  // namespace opbench
