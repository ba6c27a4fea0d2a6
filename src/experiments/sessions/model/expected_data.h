#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// What `--check` calls the outputs that a model came with.
constexpr const char* kExpected = "expected";

/// DIR of `--check expected:DIR`; nothing where the check is against an engine.
std::optional<std::filesystem::path> expected_folder(const std::string& check);

/// `input_0.pb`, `input_1.npy`, … for the word `input`, as far as they go without a gap: the form
/// of ONNX's folders `test_data_set_N`.
std::vector<std::filesystem::path> numbered_files(const std::filesystem::path& folder,
                                                  const std::string& word);

/// The tensors in `files`, by position among `values`, which are inputs or outputs of a graph
/// (`what`). `kInvalidInput` for more files than values, for values that are no tensors, and for
/// files that cannot be read.
Result<std::vector<std::pair<std::string, Tensor>>> read_values(
    const std::vector<std::filesystem::path>& files, const std::vector<Value>& values,
    const std::string& what);

/// The tensor in a file for a value of that type. Files of ONNX before 1.13 hold bfloat16 as
/// uint16.
Result<Tensor> read_tensor_as(const std::filesystem::path& file, DataType type);

/// `kInvalidInput` when the folder is not there or holds no expected outputs.
Result<void> check_expected_folder(const std::filesystem::path& folder);

/// The files of a graph's inputs in such a folder, by name. More of them than inputs are of
/// `stated` (onnx_inputs.h): of initialisers too, whose values they replace. `kInvalidInput` for
/// more files than that, and for an input that has neither a file there nor a value in `given`.
Result<std::map<std::string, std::string>> expected_inputs(
    const std::filesystem::path& folder, const Graph& graph, const std::vector<Value>& stated,
    const std::map<std::string, std::string>& given);

/// The expected outputs of a graph. `kInvalidInput` as `read_values`, and for a file whose tensor
/// is of another type or shape than `graph.types` says.
Result<std::vector<std::pair<std::string, Tensor>>> expected_outputs(
    const std::filesystem::path& folder, const Graph& graph);

}  // namespace opbench
