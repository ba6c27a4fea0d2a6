#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/graph/graph.h"
#include "model/zoo/zoo_entry.h"

namespace opbench {

const std::vector<ZooEntry>& zoo_entries();

/// The free dimensions of a built-in model's inputs, with the extents that they have unless
/// somebody says otherwise; none for an unknown name.
std::vector<Dimension> zoo_dimensions(const std::string& name);

/// A word that changes whenever a built-in model may be another.
std::string zoo_version();

/// A built-in model without the values of its weights: matrices and filters have a type and no data
/// (`has_values` of the passes). For what asks for shapes only, as it takes milliseconds. Errors as
/// those of zoo_onnx.
Result<Model> zoo_outline(const std::string& name, int64_t batch_size);

/// The ONNX file of a built-in model with weights from `seed` (He-scaled; batch-norm variance in
/// 0.5 … 1.5), as bytes. Dimensions of `zoo_dimensions` are free in it. `kInvalidInput` for an
/// unknown name, with a guess.
Result<std::string> zoo_onnx(const std::string& name, int64_t batch_size, uint64_t seed);

}  // namespace opbench
