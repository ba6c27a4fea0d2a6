#include <fmt/format.h>

#include <algorithm>

#include "model/operators/axes/axis_split.h"
#include "model/operators/axes/indices.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/real_values.h"

namespace opbench {
namespace {

enum OneHotInput : size_t { kOneHotIndices, kOneHotDepth, kOneHotValues };

/// Of the result.
Result<int64_t> one_hot_axis(const OperatorCall& call) {
  return axis_of(call, int_attribute(*call.node, "axis", -1), rank_of(call, kOneHotIndices) + 1);
}

Result<std::vector<TensorType>> infer_one_hot(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 3));
  OPBENCH_TRY(const int64_t along, one_hot_axis(call));
  OPBENCH_TRY(const double depth, known_number(call, kOneHotDepth, "depth"));
  if (!(depth >= 1 && depth < 0x1p47)) {
    return misfit(call, fmt::format("depth {} is not a number of classes", depth));
  }
  if (shape_of(call, kOneHotValues) != Shape{2}) {
    return misfit(call, fmt::format("values {} are not the two for off and on",
                                    shape_text(shape_of(call, kOneHotValues))));
  }
  Shape shape = shape_of(call, kOneHotIndices);
  shape.insert(shape.begin() + along, static_cast<int64_t>(depth));
  return std::vector<TensorType>{{call.inputs[kOneHotValues]->data_type, shape}};
}

/// Indices of any type as classes, negative ones counted from the end; -1 for those outside.
Result<Integers> classes_of(const OperatorCall& call, const TensorView& indices, int64_t depth) {
  OPBENCH_TRY(const std::vector<double> values, real_values(call, indices));
  const auto end = static_cast<double>(depth);
  Integers classes;
  for (const double value : values) {
    const double index = value < 0 ? value + end : value;
    classes.push_back(index >= 0 && index < end ? static_cast<int64_t>(index) : -1);
  }
  return classes;
}

Result<void> run_one_hot(const OperatorCall& call, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t along, one_hot_axis(call));
  const AxisSplit split = split_at(outputs[0].type.shape, along);
  OPBENCH_TRY(const Integers classes, classes_of(call, inputs[kOneHotIndices], split.length));
  return with_width(call, outputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto values = inputs[kOneHotValues].as<T>();
    const auto y = outputs[0].as<T>();
    std::ranges::fill(y, values[0]);
    for (size_t line = 0; line < classes.size(); ++line) {
      if (classes[line] < 0) continue;
      const int64_t start = split.start_of(static_cast<int64_t>(line));
      y[static_cast<size_t>(start + classes[line] * split.inner)] = values[1];
    }
  });
}

Attributes one_hot_normal_form(const OperatorCall& call) {
  Attributes result;
  const auto along = one_hot_axis(call);
  if (along && *along != rank_of(call, kOneHotIndices)) result["axis"] = *along;
  return result;
}

}  // namespace

OperatorDef one_hot_operator() {
  return {
      .name = "one_hot",
      .summary = "A new axis with one value at an index, another elsewhere",
      .onnx_types = {"OneHot"},
      .infer = infer_one_hot,
      .flops = no_flops,
      .run = run_one_hot,
      .normal_form = one_hot_normal_form,
      .attributes = {{"axis", int64_t{-1}}},
      .parameters = {kOneHotDepth, kOneHotValues},
  };
}

}  // namespace opbench
