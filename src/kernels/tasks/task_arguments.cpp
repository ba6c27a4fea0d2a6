#include "kernels/tasks/task_arguments.h"

#include <utility>

namespace opbench {

Argument tensor_argument(const TensorType& type) {
  Argument result{.kind = ArgumentKind::kTensor, .text = std::string(name_of(type.data_type))};
  for (const int64_t extent : type.shape) result.items.push_back(Argument::of_int(extent));
  return result;
}

Argument tuple_argument(const std::vector<int64_t>& values) {
  std::vector<Argument> items;
  for (const int64_t value : values) items.push_back(Argument::of_int(value));
  return Argument::of_tuple(std::move(items));
}

Argument type_argument(DataType type) { return Argument::of_string(std::string(name_of(type))); }

std::vector<Argument> convolution_arguments(const AnchorCall& call) {
  return {tensor_argument(call.data),   tensor_argument(call.weight),  tuple_argument(call.strides),
          tuple_argument(call.padding), tuple_argument(call.dilation), type_argument(call.result)};
}

std::vector<Argument> blocked_convolution_arguments(const AnchorCall& call) {
  std::vector<Argument> result = convolution_arguments(call);
  result.insert(result.end() - 1, 2, Argument::of_string("NCHW"));
  return result;
}

std::vector<Argument> group_convolution_arguments(const AnchorCall& call) {
  std::vector<Argument> result = convolution_arguments(call);
  result.insert(result.end() - 1, Argument::of_int(call.groups));
  return result;
}

std::vector<Argument> transposed_convolution_arguments(const AnchorCall& call) {
  return {tensor_argument(call.data),   tensor_argument(call.weight),
          tuple_argument(call.strides), tuple_argument(call.padding),
          type_argument(call.result),   tuple_argument(call.output_padding)};
}

std::vector<Argument> dense_arguments(const AnchorCall& call) {
  return {tensor_argument(call.data), tensor_argument(call.weight), Argument::null(),
          type_argument(call.result)};
}

std::vector<Argument> batch_matmul_arguments(const AnchorCall& call, Argument out_dtype) {
  return {tensor_argument(call.data),
          tensor_argument(call.weight),
          tuple_argument({call.data.shape[0], call.data.shape[1], call.weight.shape[1]}),
          std::move(out_dtype),
          Argument::of_int(0),
          Argument::of_int(1)};
}

}  // namespace opbench
