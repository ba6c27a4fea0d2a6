#include "experiments/sessions/half_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/tensors/half.h"

namespace opbench {
namespace {

template <class From, class To>
Tensor with_elements_as(const Tensor& tensor, DataType type) {
  Tensor result = Tensor::empty({type, tensor.type.shape});
  std::ranges::transform(tensor.as<From>(), result.as<To>().begin(),
                         [](From value) { return static_cast<To>(value); });
  return result;
}

}  // namespace

bool is_half_file(const Json& file) {
  const auto type = file.find("data_type");
  return type != file.end() &&
         (*type == name_of(DataType::kFloat16) || *type == name_of(DataType::kBFloat16));
}

Tensor as_float32(const Tensor& half) {
  return half.type.data_type == DataType::kFloat16
             ? with_elements_as<Float16, float>(half, DataType::kFloat32)
             : with_elements_as<BFloat16, float>(half, DataType::kFloat32);
}

Tensor as_half(Tensor tensor, DataType type) {
  if (tensor.type.data_type != DataType::kFloat32) return tensor;
  if (type == DataType::kFloat16) return with_elements_as<float, Float16>(tensor, type);
  if (type == DataType::kBFloat16) return with_elements_as<float, BFloat16>(tensor, type);
  return tensor;
}

}  // namespace opbench
