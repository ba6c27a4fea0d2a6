#pragma once

#include "base/json/json.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// Sets hardware, software, state and hashes from an environment object: machine in
/// hardware_config.machine, software in software_config.software, state in metadata.state.
void add_environment(const Json& environment, BenchmarkRecord& record);

}  // namespace opbench
