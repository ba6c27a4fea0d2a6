#pragma once

#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// Whether a run of the graph fits into memory, before anything is allocated: inputs three times
/// (here, as files, in an engine), weights twice (here and in an engine), every known result once
/// and the outputs twice. `weights`: inputs that are weights. `kInvalidInput` for a size that
/// cannot be addressed; `kEnvironment` with the sizes when there is not enough memory here.
Result<void> check_memory(const Graph& graph, const std::string& name,
                          const std::vector<std::string>& weights = {});

/// Bytes of the graph's constants, those of loop bodies left aside.
double weight_bytes(const Graph& graph);

}  // namespace opbench
