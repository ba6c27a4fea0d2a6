#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "base/tensors/tensor.h"

namespace opbench {

/// Writes the values to `path`, dense row-major, and returns what the protocol says of them:
/// `{"name", "path", "data_type", "shape"}`. `kSystem` if the place cannot be written.
Result<Json> write_tensor(const std::filesystem::path& path, const std::string& name,
                          const Tensor& tensor);

/// The same for several, as files `0.bin`, `1.bin`, … of `folder`, which is created: a JSON list.
Result<Json> write_tensors(const std::filesystem::path& folder,
                           const std::vector<std::pair<std::string, Tensor>>& tensors);

/// The tensor that such an object describes. `kInvalidInput` naming the field that is wrong or the
/// file whose size does not fit.
Result<Tensor> read_tensor(const Json& description);

/// The tensors of such a list by their names; none for null.
Result<std::map<std::string, Tensor>> read_tensors(const Json& descriptions);

}  // namespace opbench
