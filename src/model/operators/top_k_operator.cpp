#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/operators/axis_split.h"
#include "model/operators/element_order.h"
#include "model/operators/element_type.h"
#include "model/operators/indices.h"

namespace opbench {
namespace {

Result<int64_t> axis(const OperatorCall& call) {
  return axis_of(call, int_attribute(*call.node, "axis", -1), rank_of(call, 0));
}

/// An attribute before opset 10.
Result<int64_t> count_of(const OperatorCall& call) {
  if (call.node->attributes.contains("k")) return int_attribute(*call.node, "k", -1);
  return known_integer(call, 1, "k");
}

/// The values, and where along the axis they were.
Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 2));
  OPBENCH_CHECK(require_outputs(call, 2));
  OPBENCH_TRY(const int64_t along, axis(call));
  OPBENCH_TRY(const int64_t count, count_of(call));
  Shape shape = shape_of(call, 0);
  if (count < 0 || count > shape[along]) {
    return misfit(call, fmt::format("k {} is not within extent {}", count, shape[along]));
  }
  shape[along] = count;
  std::vector<TensorType> types{{call.inputs[0]->data_type, shape}, {DataType::kInt64, shape}};
  types.resize(std::max<size_t>(1, call.node->outputs.size()));
  return types;
}

/// One for every element compared.
double flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return static_cast<double>(call.inputs[0]->size());
}

/// An element and where it was.
template <class T>
struct Placed {
  T value;
  int64_t position;
};

/// The first `count` elements of a line in order; of equal ones the first leads. They are kept as a
/// heap whose top is the last of them.
template <class T>
void first_of_line(const T* x, int64_t stride, int64_t length, bool is_largest, int64_t count,
                   std::vector<Placed<T>>& kept) {
  const auto leads = [is_largest](const Placed<T>& a, const Placed<T>& b) {
    if (is_below(a.value, b.value)) return !is_largest;
    if (is_below(b.value, a.value)) return is_largest;
    return a.position < b.position;
  };
  kept.clear();
  for (int64_t i = 0; i < length && count > 0; ++i) {
    const Placed<T> next{x[i * stride], i};
    if (i >= count) {
      const T last = kept.front().value;  // equal ones came before; NaN is looked at more closely
      if (is_largest ? next.value <= last : next.value >= last) continue;
      if (!leads(next, kept.front())) continue;
      std::ranges::pop_heap(kept, leads);
      kept.back() = next;
    } else {
      kept.push_back(next);
    }
    std::ranges::push_heap(kept, leads);
  }
  std::ranges::sort_heap(kept, leads);
}

template <class T>
void top_k(const OperatorCall& call, const AxisSplit& split, std::span<const TensorView> inputs,
           std::span<const TensorView> outputs, int64_t count) {
  const T* x = static_cast<const T*>(inputs[0].data);
  T* values = static_cast<T*>(outputs[0].data);
  int64_t* where = outputs.size() < 2 ? nullptr : static_cast<int64_t*>(outputs[1].data);
  const bool is_largest = int_attribute(*call.node, "largest", 1) != 0;
  std::vector<Placed<T>> kept;
  for (int64_t line = 0; line < split.lines(); ++line) {
    const T* first = x + split.start_of(line);
    first_of_line(first, split.inner, split.length, is_largest, count, kept);
    const int64_t start = line / split.inner * count * split.inner + line % split.inner;
    for (int64_t i = 0; i < count; ++i) {
      const Placed<T>& placed = kept[static_cast<size_t>(i)];
      const int64_t at = start + i * split.inner;
      if (values != nullptr) values[at] = placed.value;
      if (where != nullptr) where[at] = placed.position;
    }
  }
}

/// NaN counts as above all numbers. Results are in order even where `sorted` does not ask for it.
Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t along, axis(call));
  const AxisSplit split = split_at(inputs[0].type.shape, along);
  const int64_t count = outputs[0].type.shape[along];
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    top_k<decltype(zero)>(call, split, inputs, outputs, count);
  });
}

Attributes normal_form(const OperatorCall& call) {
  Attributes result;
  const auto along = axis(call);
  if (along && *along != rank_of(call, 0) - 1) result["axis"] = *along;
  for (const char* name : {"largest", "sorted"}) {
    if (int_attribute(*call.node, name, 1) == 0) result[name] = int64_t{0};
  }
  return result;
}

/// Opset 1 has k as an attribute.
Node modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  if (!node.attributes.contains("k")) return node;
  set_constant_input(node, 1, integer_tensor({int_attribute(node, "k", 0)}), constants);
  node.attributes.erase("k");
  return node;
}

}  // namespace

OperatorDef top_k_operator() {
  return {
      .name = "top_k",
      .summary = "The k largest or smallest elements along an axis, and where they were",
      .onnx_types = {"TopK"},
      .infer = infer,
      .flops = flops,
      .run = run,
      .normal_form = normal_form,
      .attributes = {{"axis", int64_t{-1}}, {"largest", int64_t{1}}, {"sorted", int64_t{1}}},
      .parameters = {1},
      .modern_form = modern_form,
  };
}

}  // namespace opbench
