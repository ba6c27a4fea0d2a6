#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/graph/graph.h"
#include "model/zoo/zoo_entry.h"

namespace opbench {

const std::vector<ZooEntry>& zoo_entries();

/// The ONNX file of a built-in model with weights from `seed` (He-scaled; batch-norm variance in
/// 0.5 … 1.5), as bytes. `kInvalidInput` for an unknown name, with a guess.
Result<std::string> zoo_onnx(const std::string& name, int64_t batch_size, uint64_t seed);

}  // namespace opbench
