#include "engines/protocol/tensor_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace opbench {
namespace fs = std::filesystem;
namespace {

Error file_error(std::string_view action, const fs::path& path) {
  return {ErrorCode::kSystem, fmt::format("cannot {} tensor file \"{}\": {}", action, path.string(),
                                          errno == 0 ? "wrong size" : std::strerror(errno))};
}

struct Description {
  TensorType type;
  fs::path path;
};

Result<Description> parse(const Json& json) {
  try {
    OPBENCH_TRY(const DataType data_type, parse_data_type(json.at("data_type").get<std::string>()));
    Shape shape = json.at("shape").get<Shape>();
    for (const int64_t extent : shape) {
      if (extent < 0) {
        return Error{ErrorCode::kInvalidInput, "a tensor has the shape " + json["shape"].dump()};
      }
    }
    if (size_of(data_type) == 0) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("tensors of type {} cannot be passed", name_of(data_type))};
    }
    return Description{{data_type, std::move(shape)}, json.at("path").get<std::string>()};
  } catch (const nlohmann::json::exception& exception) {
    return Error{ErrorCode::kInvalidInput, "not a tensor's description: " + json.dump()}.with(
        "reason", exception.what());
  }
}

}  // namespace

Result<Json> write_tensor(const fs::path& path, const std::string& name, const Tensor& tensor) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(tensor.data.data()),
             static_cast<std::streamsize>(tensor.data.size()));
  file.close();
  if (!file) return file_error("write", path);
  return Json{{"name", name},
              {"path", path.string()},
              {"data_type", name_of(tensor.type.data_type)},
              {"shape", tensor.type.shape}};
}

Result<Json> write_tensors(const fs::path& folder,
                           const std::vector<std::pair<std::string, Tensor>>& tensors) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  Json list = Json::array();
  for (const auto& [name, tensor] : tensors) {
    OPBENCH_TRY(Json written,
                write_tensor(folder / fmt::format("{}.bin", list.size()), name, tensor));
    list.push_back(std::move(written));
  }
  return list;
}

Result<Tensor> read_tensor(const Json& description) {
  OPBENCH_TRY(Description parsed, parse(description));
  Tensor tensor = Tensor::empty(std::move(parsed.type));
  errno = 0;
  std::ifstream file(parsed.path, std::ios::binary | std::ios::ate);
  if (!file) return file_error("read", parsed.path);
  if (static_cast<size_t>(file.tellg()) != tensor.data.size()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("tensor file \"{}\" has {} bytes, its type {}", parsed.path.string(),
                             static_cast<int64_t>(file.tellg()), tensor.data.size())};
  }
  file.seekg(0);
  file.read(reinterpret_cast<char*>(tensor.data.data()),
            static_cast<std::streamsize>(tensor.data.size()));
  if (!file) return file_error("read", parsed.path);
  return tensor;
}

Result<std::map<std::string, Tensor>> read_tensors(const Json& descriptions) {
  std::map<std::string, Tensor> tensors;
  if (descriptions.is_null()) return tensors;
  if (!descriptions.is_array()) {
    return Error{ErrorCode::kInvalidInput, "not a list of tensors: " + descriptions.dump()};
  }
  for (const Json& description : descriptions) {
    OPBENCH_TRY(Tensor tensor, read_tensor(description));
    if (!description.contains("name") || !description["name"].is_string()) {
      return Error{ErrorCode::kInvalidInput, "a tensor without a name: " + description.dump()};
    }
    tensors[description["name"].get<std::string>()] = std::move(tensor);
  }
  return tensors;
}

}  // namespace opbench
