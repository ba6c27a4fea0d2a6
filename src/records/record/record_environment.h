#pragma once

#include "machine/facts/environment.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// Sets hardware, software, state and hashes: machine in hardware_config.machine, software in
/// software_config.software, state in metadata.state.
void add_environment(const Environment& environment, BenchmarkRecord& record);

/// The environment that a record was made from, as far as it holds it; of whatever version.
Environment environment_of(const BenchmarkRecord& record);

}  // namespace opbench
