#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "model/operators/elements/element_offsets.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

enum ScatterInput : size_t { kScatterData, kScatterIndices, kUpdates };

bool is_tuples(const OperatorCall& call) { return call.node->type == "ScatterND"; }

Result<void> check_tuples(const OperatorCall& call) {
  if (rank_of(call, kScatterIndices) < 1)
    return misfit(call, "its indices are no tuples but a scalar");
  const int64_t width = shape_of(call, kScatterIndices).back();
  if (width >= 1 && width <= rank_of(call, kScatterData)) return {};
  return misfit(
      call, fmt::format("tuples of {} indices, needs 1 to {}", width, rank_of(call, kScatterData)));
}

/// ScatterElements: the shape of the indices. ScatterND: [tuples…, rest of the data's shape].
Shape shape_of_updates(const OperatorCall& call) {
  const Shape& data = shape_of(call, kScatterData);
  const Shape& indices = shape_of(call, kScatterIndices);
  if (!is_tuples(call)) return indices;
  Shape shape(indices.begin(), indices.end() - 1);
  shape.insert(shape.end(), data.begin() + indices.back(), data.end());
  return shape;
}

Result<std::vector<TensorType>> infer_scatter(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 3));
  OPBENCH_CHECK(choice_attribute(call, "reduction", "none", {"none", "add", "mul", "max", "min"}));
  if (is_tuples(call)) {
    OPBENCH_CHECK(check_tuples(call));
  } else {
    OPBENCH_CHECK(axis_of_elements(call));
  }
  if (const Shape shape = shape_of_updates(call); shape != shape_of(call, kUpdates)) {
    return misfit(call, fmt::format("updates {} are not {}", shape_text(shape_of(call, kUpdates)),
                                    shape_text(shape)));
  }
  if (call.inputs[kUpdates]->data_type != call.inputs[kScatterData]->data_type) {
    return misfit(
        call, fmt::format("updates are {}, data are {}", name_of(call.inputs[kUpdates]->data_type),
                          name_of(call.inputs[kScatterData]->data_type)));
  }
  return same_as_first(call);
}

/// One for every update that is added, multiplied or compared.
double scatter_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const bool moves = string_attribute(*call.node, "reduction", "none") == "none";
  return moves ? 0 : static_cast<double>(call.inputs[kUpdates]->size());
}

/// Where every update goes, in the order of the updates.
Result<Integers> tuple_targets(const OperatorCall& call, std::span<const TensorView> inputs) {
  const Shape& shape = inputs[kScatterData].type.shape;
  OPBENCH_TRY(const Integers offsets, tuple_offsets(call, inputs[kScatterIndices], shape, 0));
  const int64_t part =
      element_count({shape.begin() + inputs[kScatterIndices].type.shape.back(), shape.end()});
  Integers targets;
  targets.reserve(offsets.size() * static_cast<size_t>(part));
  for (const int64_t offset : offsets) {
    for (int64_t i = 0; i < part; ++i) targets.push_back(offset + i);
  }
  return targets;
}

/// Integers wrap around.
template <class T>
using ScatterSum = std::conditional_t<is_real_v<T>, double, uint64_t>;

/// Updates the elements at `targets` one after the other.
template <class T, class F>
void update(std::span<T> y, std::span<const T> updates, const Integers& targets, F&& f) {
  for (size_t i = 0; i < updates.size(); ++i) {
    T& element = y[static_cast<size_t>(targets[i])];
    element = f(element, updates[i]);
  }
}

template <class T>
void update(const std::string& reduction, std::span<T> y, std::span<const T> updates,
            const Integers& targets) {
  if (reduction == "add") {
    update(y, updates, targets, [](T a, T b) {
      return static_cast<T>(static_cast<ScatterSum<T>>(a) + static_cast<ScatterSum<T>>(b));
    });
  } else if (reduction == "mul") {
    update(y, updates, targets, [](T a, T b) {
      return static_cast<T>(static_cast<ScatterSum<T>>(a) * static_cast<ScatterSum<T>>(b));
    });
  } else if (reduction == "max") {
    update(y, updates, targets, [](T a, T b) { return a > b || a != a ? a : b; });
  } else if (reduction == "min") {
    update(y, updates, targets, [](T a, T b) { return a < b || a != a ? a : b; });
  } else {
    update(y, updates, targets, [](T, T b) { return b; });
  }
}

/// Truth values: a sum is an or, a product an and.
std::string reduction_of(const OperatorCall& call, DataType type) {
  const std::string reduction = string_attribute(*call.node, "reduction", "none");
  if (type != DataType::kBool) return reduction;
  return reduction == "add" ? "max" : (reduction == "mul" ? "min" : reduction);
}

Result<Integers> scatter_targets_of(const OperatorCall& call, std::span<const TensorView> inputs) {
  if (is_tuples(call)) return tuple_targets(call, inputs);
  OPBENCH_TRY(const int64_t axis, axis_of_elements(call));
  Integers targets(static_cast<size_t>(inputs[kScatterIndices].type.size()));
  OPBENCH_CHECK(for_each_offset(
      call, inputs[kScatterIndices], inputs[kScatterData].type.shape, axis,
      [&](int64_t i, int64_t offset) { targets[static_cast<size_t>(i)] = offset; }));
  return targets;
}

/// Of several updates of one element, later ones meet the result of earlier ones.
Result<void> run_scatter(const OperatorCall& call, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Integers targets, scatter_targets_of(call, inputs));
  const TensorType& type = inputs[kScatterData].type;
  const std::string reduction = reduction_of(call, type.data_type);
  return with_element(call, type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto y = outputs[0].as<T>();
    std::ranges::copy(inputs[kScatterData].as<T>(), y.begin());
    update<T>(reduction, y, inputs[kUpdates].as<const T>(), targets);
  });
}

Attributes scatter_normal_form(const OperatorCall& call) {
  Attributes result;
  if (!is_tuples(call)) {
    if (const auto axis = axis_of_elements(call); axis && *axis != 0) result["axis"] = *axis;
  }
  const std::string reduction = string_attribute(*call.node, "reduction", "none");
  if (reduction != "none") result["reduction"] = reduction;
  return result;
}

/// Scatter is the name of ScatterElements before opset 11.
Node scatter_modern_form(const OperatorCall& call, std::map<std::string, Tensor>&) {
  Node node = *call.node;
  if (node.type == "Scatter") node.type = "ScatterElements";
  return node;
}

int64_t scatter_least_opset(const Node& node) {
  const std::string reduction = string_attribute(node, "reduction", "none");
  return reduction == "max" || reduction == "min" ? 18 : 1;
}

}  // namespace

OperatorDef scatter_operator() {
  return {
      .name = "scatter",
      .summary = "A tensor with elements or parts replaced, or combined with others, by index",
      .onnx_types = {"Scatter", "ScatterElements", "ScatterND"},
      .infer = infer_scatter,
      .flops = scatter_flops,
      .run = run_scatter,
      .normal_form = scatter_normal_form,
      .attributes = {{"axis", int64_t{0}}, {"reduction", std::string("none")}},
      .least_opset = scatter_least_opset,
      .modern_form = scatter_modern_form,
  };
}

}  // namespace opbench
