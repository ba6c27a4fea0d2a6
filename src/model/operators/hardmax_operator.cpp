#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "model/operators/elements/element_type.h"
#include "model/operators/order/extreme_positions.h"

namespace opbench {
namespace {

int64_t hardmax_axis_attribute(const OperatorCall& call) {
  const int64_t axis = int_attribute(*call.node, "axis", -1);
  return axis < 0 ? axis + rank_of(call, 0) : axis;
}

/// The shape rule. Before opset 13, Hardmax lumps all dimensions from `axis` on together.
Result<std::vector<TensorType>> infer_hardmax(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  if (call.opset < 13) return misfit(call, "is known from opset 13 on");
  OPBENCH_CHECK(axis_of(call, int_attribute(*call.node, "axis", -1), rank_of(call, 0)));
  return same_as_first(call);
}

/// The reference.
Result<void> run_hardmax(const OperatorCall& call, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs) {
  const AxisSplit split = split_at(inputs[0].type.shape, hardmax_axis_attribute(call));
  if (split.length * split.lines() == 0) return {};
  Integers places(static_cast<size_t>(split.lines()));
  OPBENCH_CHECK(find_extremes(call, inputs[0], split, {.is_max = true}, places.data()));
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto y = outputs[0].as<T>();
    std::ranges::fill(y, static_cast<T>(0));
    for (int64_t line = 0; line < split.lines(); ++line) {
      const int64_t at = split.start_of(line) + places[static_cast<size_t>(line)] * split.inner;
      y[static_cast<size_t>(at)] = static_cast<T>(1);
    }
  });
}

/// The last axis has two spellings, -1 and rank - 1, and is the default: the text leaves it out.
Attributes hardmax_normal_form(const OperatorCall& call) {
  Attributes result;
  const int64_t axis = hardmax_axis_attribute(call);
  if (axis != rank_of(call, 0) - 1) result["axis"] = axis;
  return result;
}

}  // namespace

OperatorDef hardmax_operator() {
  return {
      .name = "hardmax",
      .summary = "1 at the first largest element along an axis, 0 elsewhere",
      .onnx_types = {"Hardmax"},
      .infer = infer_hardmax,
      .flops = one_per_result,
      .run = run_hardmax,
      .normal_form = hardmax_normal_form,
      .attributes = {{"axis", int64_t{-1}}},
  };
}

}  // namespace opbench
