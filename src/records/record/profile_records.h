#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "measuring/results/profile_result.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// One record a unit and, unless the scope is a unit that the engine tells, one a model, for every
/// engine; with ids.
/// The environment is kept whole: machine in hardware_config.machine, software in
/// software_config.software, state in metadata.state. A failed unit is a record with status `error`
/// and without a time. `kInvalidInput` without an environment.
Result<std::vector<BenchmarkRecord>> records_of(const ProfileResult& profile);

/// The lines to append to a file, in one piece.
std::string to_lines(const std::vector<BenchmarkRecord>& records);

/// `opbench.<canonical text>` for a workload of ours, `<engine>.<operator> <shapes>` for a node of
/// the engine's own.
std::string workload_name(std::string_view engine, const UnitResult& unit);

/// Words for a POSIX shell, quoted where it needs that.
std::string shell_text(const std::vector<std::string>& words);

}  // namespace opbench
