#include <algorithm>
#include <numeric>

#include "model/operators/axes/axis_split.h"
#include "model/operators/axes/indices.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/order/element_order.h"

namespace opbench {
namespace {

enum UniqueOutput : size_t { kUniqueValues, kFirst, kInverse, kCounts };

/// Equal parts, in the order of the results.
struct Groups {
  Integers first;    ///< where the first part of each group is
  Integers inverse;  ///< the group of every part
  Integers counts;   ///< parts of each group
};

/// Compares parts element by element: below 0, 0 or above 0.
template <class T>
int compare(const T* x, const AxisSplit& split, int64_t a, int64_t b) {
  for (int64_t line = 0; line < split.lines(); ++line) {
    const T* start = x + split.start_of(line);
    const T left = start[a * split.inner];
    const T right = start[b * split.inner];
    if (is_below(left, right)) return -1;
    if (is_below(right, left)) return 1;
  }
  return 0;
}

template <class T>
Groups sorted_groups(const T* x, const AxisSplit& split) {
  Integers order(static_cast<size_t>(split.length));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order,
                           [&](int64_t a, int64_t b) { return compare(x, split, a, b) < 0; });
  Groups groups;
  groups.inverse.resize(order.size());
  for (const int64_t part : order) {
    if (groups.first.empty() || compare(x, split, groups.first.back(), part) != 0) {
      groups.first.push_back(part);
      groups.counts.push_back(0);
    }
    ++groups.counts.back();
    groups.inverse[static_cast<size_t>(part)] = static_cast<int64_t>(groups.first.size()) - 1;
  }
  return groups;
}

/// The same groups in the order in which they appear.
Groups by_appearance(const Groups& sorted) {
  Integers order(sorted.first.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int64_t group) { return sorted.first[group]; });
  Groups groups;
  Integers rank(order.size());
  for (const int64_t group : order) {
    rank[group] = static_cast<int64_t>(groups.first.size());
    groups.first.push_back(sorted.first[group]);
    groups.counts.push_back(sorted.counts[group]);
  }
  for (const int64_t group : sorted.inverse) groups.inverse.push_back(rank[group]);
  return groups;
}

/// NaN counts as equal to NaN and above all numbers.
Result<Groups> groups_of(const OperatorCall& call, const TensorView& x, const AxisSplit& split) {
  Groups groups;
  OPBENCH_CHECK(with_element(call, x.type.data_type, [&](auto zero) {
    groups = sorted_groups(static_cast<const decltype(zero)*>(x.data), split);
  }));
  return int_attribute(*call.node, "sorted", 1) != 0 ? groups : by_appearance(groups);
}

/// The parts that differ, where each was first, which of them every part is, and how often.
Result<std::vector<TensorType>> infer_unique(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_outputs(call, 4));
  OPBENCH_TRY(const auto axis, axis_if_given(call));
  OPBENCH_TRY(const TensorView x, known_view(call, 0, "data"));
  const AxisSplit split = split_at(x.type.shape, axis);
  OPBENCH_TRY(const Groups groups, groups_of(call, x, split));
  const auto count = static_cast<int64_t>(groups.first.size());
  Shape shape = axis ? x.type.shape : Shape{count};
  shape[static_cast<size_t>(axis.value_or(0))] = count;
  std::vector<TensorType> types{{x.type.data_type, shape},
                                {DataType::kInt64, {count}},
                                {DataType::kInt64, {split.length}},
                                {DataType::kInt64, {count}}};
  types.resize(std::max<size_t>(1, call.node->outputs.size()));
  return types;
}

Result<void> run_unique(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  OPBENCH_TRY(const auto axis, axis_if_given(call));
  const AxisSplit split = split_at(inputs[0].type.shape, axis);
  OPBENCH_TRY(const Groups groups, groups_of(call, inputs[0], split));
  if (outputs[kUniqueValues].data != nullptr) {
    copy_parts(inputs[0], split, groups.first, outputs[kUniqueValues]);
  }
  const auto store = [&](UniqueOutput output, const Integers& values) {
    if (output >= outputs.size() || outputs[output].data == nullptr) return;
    std::ranges::copy(values, outputs[output].as<int64_t>().begin());
  };
  store(kFirst, groups.first);
  store(kInverse, groups.inverse);
  store(kCounts, groups.counts);
  return {};
}

/// The axis of a vector says nothing.
Attributes unique_normal_form(const OperatorCall& call) {
  Attributes result;
  const auto axis = axis_if_given(call);
  if (axis && *axis && rank_of(call, 0) != 1) result["axis"] = **axis;
  if (int_attribute(*call.node, "sorted", 1) == 0) result["sorted"] = int64_t{0};
  return result;
}

}  // namespace

OperatorDef unique_operator() {
  return {
      .name = "unique",
      .summary = "The elements or parts that differ, where they were and how often",
      .onnx_types = {"Unique"},
      .infer = infer_unique,
      .flops = no_flops,
      .run = run_unique,
      .normal_form = unique_normal_form,
      .attributes = {{"axis", int64_t{0}}, {"sorted", int64_t{1}}},
      .parameters = {0},
  };
}

}  // namespace opbench
