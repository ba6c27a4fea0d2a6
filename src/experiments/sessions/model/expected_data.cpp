#include "experiments/sessions/model/expected_data.h"

#include <fmt/format.h>

#include <system_error>

#include "model/graph/onnx_file.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

std::string text_of(const TensorType& type) {
  return fmt::format("{} {}", name_of(type.data_type), shape_text(type.shape));
}

}  // namespace

std::optional<fs::path> expected_folder(const std::string& check) {
  const std::string start = std::string(kExpected) + ":";
  if (!check.starts_with(start)) return {};
  return check.substr(start.size());
}

std::vector<fs::path> numbered_files(const fs::path& folder, const std::string& word) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (;;) {
    const std::string stem = fmt::format("{}_{}", word, files.size());
    const size_t before = files.size();
    for (const char* suffix : {".pb", ".npy"}) {
      if (files.size() == before && fs::exists(folder / (stem + suffix), ignored)) {
        files.push_back(folder / (stem + suffix));
      }
    }
    if (files.size() == before) return files;
  }
}

Result<Tensor> read_tensor_as(const fs::path& file, DataType type) {
  OPBENCH_TRY(Tensor tensor, read_tensor(file));
  const bool is_bfloat16 = type == DataType::kBFloat16;
  if (is_bfloat16 && tensor.type.data_type == DataType::kUint16) {
    tensor.type.data_type = DataType::kBFloat16;
  }
  return tensor;
}

Result<std::vector<std::pair<std::string, Tensor>>> read_values(const std::vector<fs::path>& files,
                                                                const std::vector<Value>& values,
                                                                const std::string& what) {
  if (files.size() > values.size()) {
    return invalid_input(
        fmt::format("{} files of {}s for a model of {}", files.size(), what, values.size()));
  }
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (size_t i = 0; i < files.size(); ++i) {
    const Value& value = values[i];
    if (value.data_type == DataType::kUndefined) {
      return invalid_input(fmt::format("{} \"{}\" is no tensor", what, value.name));
    }
    if (size_of(value.data_type) == 0) {
      return invalid_input(
          fmt::format("{} \"{}\" is of type {}", what, value.name, name_of(value.data_type)));
    }
    OPBENCH_TRY(Tensor tensor, read_tensor_as(files[i], value.data_type));
    tensors.emplace_back(value.name, std::move(tensor));
  }
  return tensors;
}

Result<void> check_expected_folder(const fs::path& folder) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(folder, ignored);
  if (is_folder && !numbered_files(folder, "output").empty()) return {};
  return Error{ErrorCode::kInvalidInput,
               fmt::format("\"{}\" {}", folder.string(),
                           is_folder ? "holds no expected outputs" : "is no folder")}
      .with("for", fmt::format("--check {}:DIR", kExpected))
      .with("needed", "input_0.pb, … and output_0.pb, … (or .npy), as in ONNX's test_data_set_0");
}

Result<std::map<std::string, std::string>> expected_inputs(
    const fs::path& folder, const Graph& graph, const std::vector<Value>& stated,
    const std::map<std::string, std::string>& given) {
  const std::vector<fs::path> files = numbered_files(folder, "input");
  const bool has_defaults = files.size() > graph.inputs.size() && files.size() <= stated.size();
  if (files.size() > graph.inputs.size() && !has_defaults) {
    return invalid_input(fmt::format("\"{}\" holds {} inputs for a model of {}", folder.string(),
                                     files.size(), graph.inputs.size()));
  }
  const std::vector<Value>& inputs = has_defaults ? stated : graph.inputs;
  std::map<std::string, std::string> found;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = inputs[i].name;
    if (i >= files.size() && graph.constants.contains(name)) continue;
    if (i < files.size() && given.contains(name)) {
      return invalid_input(fmt::format("input \"{}\" is given twice", name))
          .with("by", fmt::format("--input {}", name))
          .with("by", fmt::format("\"{}\"", files[i].string()));
    }
    if (i < files.size()) {
      found[name] = files[i].string();
    } else if (!given.contains(name)) {
      return invalid_input(fmt::format("\"{}\" holds no input \"{}\"", folder.string(), name))
          .with("needed",
                fmt::format("input_{0}.pb or input_{0}.npy there, or --input {1}=FILE", i, name));
    }
  }
  return found;
}

Result<std::vector<std::pair<std::string, Tensor>>> expected_outputs(const fs::path& folder,
                                                                     const Graph& graph) {
  const std::vector<fs::path> files = numbered_files(folder, "output");
  OPBENCH_TRY(auto values, read_values(files, graph.outputs, "output"));
  for (size_t i = 0; i < values.size(); ++i) {
    const auto& [name, tensor] = values[i];
    const auto type = graph.types.find(name);
    if (type == graph.types.end() || type->second == tensor.type) continue;
    return invalid_input(fmt::format("\"{}\" does not fit output \"{}\"", files[i].string(), name))
        .with("file", text_of(tensor.type))
        .with("output", text_of(type->second));
  }
  return values;
}

}  // namespace opbench
