#pragma once

#include <filesystem>

#include "model/graph/graph.h"

namespace opbench {

/// Writes an outline (zoo.h) as an ONNX file of some kilobytes: weights without values become
/// results of ConstantOfShape, which `randomize_weights` gives values. `kInvalidInput` as
/// export_onnx_file.
Result<void> write_outline(Model outline, const std::filesystem::path& path);

}  // namespace opbench
