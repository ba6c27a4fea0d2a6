#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// A model with inputs and the outputs expected of them, in the layout of ONNX's backend tests:
/// `model.onnx` beside folders `test_data_set_N` with `input_N.pb` and `output_N.pb` (or `.npy`).
struct VerifyCase {
  std::string name;
  std::filesystem::path model;
  std::vector<std::filesystem::path> inputs;   ///< by position among the graph's inputs
  std::vector<std::filesystem::path> outputs;  ///< by position among the graph's outputs
};

/// The cases in `paths`: folders of cases, searched at any depth; or a model file, with the data
/// folder after it or with folders `test_data_set_N` beside it. In the order of their names.
/// `kInvalidInput` for a path that is not there or holds no case.
Result<std::vector<VerifyCase>> find_cases(const std::vector<std::filesystem::path>& paths);

}  // namespace opbench
