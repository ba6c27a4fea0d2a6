#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/tensors/tensor.h"
#include "kernels/space/argument.h"
#include "kernels/tasks/anchor_call.h"

/// Arguments of tasks in AutoTVM's forms (docs/reference/config-spaces.md, "Arguments of tasks").
namespace opbench {

Argument tensor_argument(const TensorType& type);
Argument tuple_argument(const std::vector<int64_t>& values);
Argument type_argument(DataType type);

/// data, kernel, strides, padding, dilation, out_dtype
std::vector<Argument> convolution_arguments(const AnchorCall& call);
/// … with the two layouts, both NCHW, before out_dtype
std::vector<Argument> blocked_convolution_arguments(const AnchorCall& call);
/// … with groups before out_dtype
std::vector<Argument> group_convolution_arguments(const AnchorCall& call);
/// data, kernel, strides, padding, out_dtype, output_padding
std::vector<Argument> transposed_convolution_arguments(const AnchorCall& call);
/// data, weight, bias (none), out_dtype
std::vector<Argument> dense_arguments(const AnchorCall& call);
/// a, b, shape of the result, `out_dtype`, whether a and b are transposed: 0, 1
std::vector<Argument> batch_matmul_arguments(const AnchorCall& call, Argument out_dtype);

}  // namespace opbench
