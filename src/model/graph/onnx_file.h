#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "model/graph/graph.h"

namespace opbench {

/// The model in an ONNX file, external data included. Model-local functions are inlined. Nothing is
/// checked against an operator set: unknown operators, opsets and IR versions are read as they are.
///
/// `kInvalidInput`: not ONNX, truncated, external data missing or short, nodes that form a cycle or
/// read a value nobody makes; the message says which.
Result<Model> read_onnx(const std::filesystem::path& path);

/// The same from memory; `folder` is where external data are looked for. `source` stays empty.
Result<Model> parse_onnx(std::string_view bytes, const std::string& name,
                         const std::filesystem::path& folder);

/// Writes the model; tensors beyond 2 GB in all go to `<path>.data`. `extra_outputs` names further
/// values (with known `types`) to be made graph outputs, so that another engine shows them.
Result<void> write_onnx(const Model& model, const std::filesystem::path& path,
                        const std::vector<std::string>& extra_outputs = {});

/// One tensor from an ONNX TensorProto file (.pb) or a NumPy file (.npy, C order).
/// `kInvalidInput` quoting the path.
Result<Tensor> read_tensor(const std::filesystem::path& path);

}  // namespace opbench
