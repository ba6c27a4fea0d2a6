#include "model/operators/elements/element_offsets.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_gather_elements(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_CHECK(axis_of_elements(call));
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape_of(call, 1)}};
}

Result<void> run_gather_elements(const OperatorCall& call, std::span<const TensorView> inputs,
                                 std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t axis, axis_of_elements(call));
  Result<void> inner;
  OPBENCH_CHECK(with_width(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(inputs[0].data);
    T* y = static_cast<T*>(outputs[0].data);
    inner = for_each_offset(call, inputs[1], inputs[0].type.shape, axis,
                            [x, y](int64_t i, int64_t offset) { y[i] = x[offset]; });
  }));
  return inner;
}

Attributes gather_elements_normal_form(const OperatorCall& call) {
  Attributes result;
  if (const auto axis = axis_of_elements(call); axis && *axis != 0) result["axis"] = *axis;
  return result;
}

}  // namespace

OperatorDef gather_elements_operator() {
  return {
      .name = "gather_elements",
      .summary = "Elements picked by an index each, along an axis",
      .onnx_types = {"GatherElements"},
      .infer = infer_gather_elements,
      .flops = no_flops,
      .run = run_gather_elements,
      .normal_form = gather_elements_normal_form,
      .attributes = {{"axis", int64_t{0}}},
  };
}

}  // namespace opbench
