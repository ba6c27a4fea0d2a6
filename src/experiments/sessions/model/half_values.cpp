#include "experiments/sessions/model/half_values.h"

#include <nlohmann/json.hpp>

#include "base/tensors/converted.h"
#include "base/tensors/half.h"

namespace opbench {

bool is_half_file(const Json& file) {
  const auto type = file.find("data_type");
  return type != file.end() &&
         (*type == name_of(DataType::kFloat16) || *type == name_of(DataType::kBFloat16));
}

Tensor as_float32(const Tensor& half) {
  return half.type.data_type == DataType::kFloat16
             ? converted<Float16, float>(half, DataType::kFloat32)
             : converted<BFloat16, float>(half, DataType::kFloat32);
}

Tensor as_half(Tensor tensor, DataType type) {
  if (tensor.type.data_type != DataType::kFloat32) return tensor;
  if (type == DataType::kFloat16) return converted<float, Float16>(tensor, type);
  if (type == DataType::kBFloat16) return converted<float, BFloat16>(tensor, type);
  return tensor;
}

}  // namespace opbench
