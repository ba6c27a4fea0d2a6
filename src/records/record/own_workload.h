#pragma once

#include <string>

#include "records/record/benchmark_record.h"

namespace opbench {

/// The text of the workload that a record of a unit is of, as `op` takes it: what `workload_args`
/// names, else the record's own name without the domain `opbench`. A text of another program comes
/// as it is: parse_workload judges it.
std::string own_workload(const BenchmarkRecord& record);

}  // namespace opbench
