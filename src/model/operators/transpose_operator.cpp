#include <algorithm>

#include "model/operators/axes/strided.h"

namespace opbench {
namespace {

/// The input dimension that each output dimension is; reversed when not given.
Integers permutation(const OperatorCall& call) {
  Integers reversed;
  for (int64_t i = rank_of(call, 0); i-- > 0;) reversed.push_back(i);
  return ints_attribute(*call.node, "perm", reversed);
}

Result<std::vector<TensorType>> infer_transpose(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  const Integers perm = permutation(call);
  Integers sorted = perm;
  std::ranges::sort(sorted);
  bool is_permutation = static_cast<int64_t>(perm.size()) == rank_of(call, 0);
  for (size_t i = 0; i < sorted.size(); ++i) {
    is_permutation = is_permutation && sorted[i] == static_cast<int64_t>(i);
  }
  if (!is_permutation) {
    return misfit(call, "perm " + shape_text(perm) + " does not order the dimensions of " +
                            shape_text(shape_of(call, 0)));
  }
  Shape shape;
  for (const int64_t dimension : perm) shape.push_back(shape_of(call, 0)[dimension]);
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

Result<void> run_transpose(const OperatorCall& call, std::span<const TensorView> inputs,
                           std::span<const TensorView> outputs) {
  const Integers in_strides = dense_strides(inputs[0].type.shape);
  Integers strides;
  for (const int64_t dimension : permutation(call)) strides.push_back(in_strides[dimension]);
  return copy_strided(call, inputs[0], 0, strides, outputs[0]);
}

Attributes transpose_normal_form(const OperatorCall& call) { return {{"perm", permutation(call)}}; }

}  // namespace

OperatorDef transpose_operator() {
  return {
      .name = "transpose",
      .summary = "Dimensions in another order",
      .onnx_types = {"Transpose"},
      .infer = infer_transpose,
      .flops = no_flops,
      .run = run_transpose,
      .normal_form = transpose_normal_form,
      .attributes = {{"perm", Integers{}}},
  };
}

}  // namespace opbench
