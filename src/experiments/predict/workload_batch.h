#pragma once

#include <string>
#include <vector>

#include "model/graph/graph.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// One outline (zoo.h) with every workload side by side, so that one start of an engine serves many
/// units: operands that are no weights are inputs, results are outputs.
Model batch_of_workloads(const std::vector<Workload>& workloads, const std::string& name);

}  // namespace opbench
